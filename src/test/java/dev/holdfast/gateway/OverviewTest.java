package dev.holdfast.gateway;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.gateway.GatewayUnderTest.bytes;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static dev.holdfast.gateway.GatewayUnderTest.request;
import static dev.holdfast.gateway.GatewayUnderTest.requestTo;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.push.PermanentFailure;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code GET /api/v1/overview} and {@code /endpoints}: whether all is well, and the figures. */
@Timeout(60)
class OverviewTest {
    @TempDir
    Path directory;

    private final Deliveries deliveries = new Deliveries();

    private GatewayUnderTest start(GatewaySettings settings) {
        return GatewayUnderTest.start(settings.consumer("mine", "*", deliveries), directory);
    }

    private static JsonObject get(GatewayUnderTest gateway, String path) {
        HttpAnswer answer = gateway.management("/api/v1" + path);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return new JsonObject(answer.body());
    }

    private static List<String> problems(JsonObject overview) {
        return overview.getJsonArray("problems").stream()
                .map(problem ->
                        ((JsonObject) problem).getString("severity") + ": " + ((JsonObject) problem).getString("text"))
                .toList();
    }

    @Test
    void aGatewayWithoutTroubleSaysSoInOneSentence() {
        try (GatewayUnderTest gateway = start(new GatewaySettings())) {
            JsonObject overview = get(gateway, "/overview");

            assertThat(overview.getBoolean("ready")).isTrue();
            assertThat(overview.getString("summary")).startsWith("All is well: ready, 0.0 pushes a second");
            assertThat(problems(overview)).isEmpty();
            assertThat(overview.getJsonObject("latency")).isEmpty();
        }
    }

    /** Or the same would come in again as a flood of the moment once the endpoint is back. */
    @Test
    void whatCameInAtAnEndpointThatIsGoneStaysInTheTotals() {
        GatewaySettings without = new GatewaySettings().endpoint("other", "/other", "X", GatewayUnderTest.SECRET);
        GatewaySettings with = new GatewaySettings()
                .endpoint("other", "/other", "X", GatewayUnderTest.SECRET)
                .endpoint("default", "/webhook", "Service-Signature", GatewayUnderTest.SECRET);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(with, directory)) {
            gateway.push(envelope("client.created", 1));
            gateway.send(request(bytes(envelope("client.created", 2))));

            gateway.reconfigure(without, directory);

            JsonObject totals = get(gateway, "/overview").getJsonObject("totals");
            assertThat(totals.getLong("accepted")).isEqualTo(1);
            assertThat(totals.getJsonObject("refused").getLong("signature")).isEqualTo(1);
        }
    }

    @Test
    void whatCameInIsInTheTotalsTheRatesAndTheHistory() {
        try (GatewayUnderTest gateway = start(new GatewaySettings())) {
            gateway.push(envelope("client.created", 1));
            gateway.push(envelope("client.created", 1));
            gateway.send(request(bytes(envelope("client.created", 2))));

            JsonObject totals = get(gateway, "/overview").getJsonObject("totals");
            assertThat(totals.getLong("accepted")).isEqualTo(2);
            assertThat(totals.getLong("duplicates")).isEqualTo(1);
            assertThat(totals.getJsonObject("refused").getMap())
                    .containsExactlyEntriesOf(java.util.Map.of("signature", 1));
            eventually(() -> {
                JsonObject overview = get(gateway, "/overview");
                assertThat(overview.getJsonObject("rates").getDouble("accepted"))
                        .isPositive();
                assertThat(overview.getJsonObject("latency").getDouble("p99")).isPositive();
                JsonObject history = overview.getJsonObject("history");
                int size = history.getJsonArray("at").size();
                assertThat(history.getJsonArray("accepted").stream()
                                .mapToDouble(rate -> ((Number) rate).doubleValue())
                                .sum())
                        .isPositive();
                assertThat(history.getJsonObject("lag").getJsonArray("mine")).hasSize(size);
                assertThat(history.getJsonArray("p50")).hasSize(size);
            });
        }
    }

    @Test
    void deadLettersAreAProblemWithWhatToDoAboutIt() {
        deliveries.behave(push -> Future.failedFuture(new PermanentFailure("no")));
        try (GatewayUnderTest gateway = start(new GatewaySettings())) {
            gateway.push(envelope("client.created", 1));

            eventually(() -> {
                JsonObject overview = get(gateway, "/overview");
                assertThat(problems(overview))
                        .contains("warning: There is 1 dead letter, which consumers failed for good.");
                assertThat(overview.getString("summary"))
                        .matches("Ready, [\\d.]+ pushes a second accepted, with 1 thing to look at\\.");
                assertThat(overview.getLong("deadLetters")).isEqualTo(1);
            });
        }
    }

    @Test
    void aConsumerThatWasTakenOutIsNotCriticalAndItsDeadLettersStillCount() {
        deliveries.behave(push -> Future.failedFuture(new PermanentFailure("no")));
        GatewaySettings renamed = new GatewaySettings().consumer("renamed", "*", new Deliveries());
        try (GatewayUnderTest gateway = start(new GatewaySettings())) {
            gateway.push(envelope("client.created", 1));
            eventually(() ->
                    assertThat(get(gateway, "/overview").getLong("deadLetters")).isEqualTo(1));
            gateway.reconfigure(renamed, directory);

            JsonObject overview = get(gateway, "/overview");
            assertThat(problems(overview))
                    .containsExactly(
                            "warning: Consumer mine is not configured, and still has 1 dead letter.",
                            "warning: There is 1 dead letter, which consumers failed for good.");
            assertThat(overview.getLong("deadLetters")).isEqualTo(1);

            Verb.run(gateway, "dead-letters", "discard", "--all", "--reason", "of a test")
                    .done();
            assertThat(problems(get(gateway, "/overview"))).isEmpty();
            assertThat(Verb.run(gateway, "status").status()).isZero();
        }
    }

    @Test
    void manyWrongSignaturesAreCriticalAndComeBeforeWarnings() {
        deliveries.behave(push -> Future.failedFuture(new PermanentFailure("no")));
        try (GatewayUnderTest gateway = start(new GatewaySettings())) {
            gateway.push(envelope("client.created", 1));
            for (int n = 0; n < 12; n++) {
                gateway.send(request(bytes(envelope("client.created", n)), "Service-Signature: " + "0".repeat(40)));
            }

            eventually(() -> {
                List<String> problems = problems(get(gateway, "/overview"));
                assertThat(problems).hasSize(2);
                assertThat(problems.get(0)).startsWith("critical: 12 pushes at `default` were refused");
                assertThat(problems.get(1)).startsWith("warning: There is 1 dead letter");
            });
        }
    }

    @Test
    void aFillingDiskIsAProblemAndReadinessIsRed() {
        try (GatewayUnderTest gateway = start(new GatewaySettings().withReserve("reserve: 1000TiB"))) {
            eventually(() -> {
                JsonObject overview = get(gateway, "/overview");
                assertThat(overview.getBoolean("ready")).isFalse();
                assertThat(overview.getString("summary")).startsWith("Not ready, with ");
                assertThat(problems(overview)).anyMatch(problem -> problem.contains("disk"));
            });
        }
    }

    @Test
    void endpointsTellWhatCameInAtEach() {
        String secret = "another-secret-of-the-tests-012345";
        GatewaySettings settings = new GatewaySettings()
                .endpoint("two", "/two", "Service-Signature", secret)
                .endpoint("one", "/one", "X-Signature", secret, secret + "6");
        try (GatewayUnderTest gateway = start(settings)) {
            byte[] body = bytes(envelope("client.created", 1));
            gateway.send(requestTo("/two", body, "Service-Signature: " + GatewayUnderTest.sign(body, secret)));
            gateway.send(requestTo("/one", body));

            List<JsonObject> endpoints = get(gateway, "/endpoints").getJsonArray("endpoints").stream()
                    .map(JsonObject.class::cast)
                    .toList();
            assertThat(endpoints)
                    .extracting(endpoint -> endpoint.getString("name"))
                    .containsExactly("one", "two");
            JsonObject one = endpoints.get(0);
            assertThat(one.getString("signatureHeader")).isEqualTo("X-Signature");
            assertThat(one.getInteger("secrets")).isEqualTo(2);
            assertThat(one.getLong("accepted")).isZero();
            assertThat(one.getJsonObject("refused").getLong("signature")).isEqualTo(1);
            assertThat(one.containsKey("lastAcceptedAt")).isFalse();
            JsonObject two = endpoints.get(1);
            assertThat(two.getLong("accepted")).isEqualTo(1);
            assertThat(two.getString("lastAcceptedAt")).startsWith("20");
        }
    }
}
