package dev.holdfast.gateway;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code holdfast consumers} beside a gateway with one that delivers, one that fails, and one to pause. */
@Timeout(60)
class ConsumersVerbTest {
    @TempDir
    static Path directory;

    private static GatewayUnderTest gateway;

    @BeforeAll
    static void start() {
        Deliveries failing = new Deliveries().behave(push -> Future.failedFuture("not today"));
        GatewaySettings settings = new GatewaySettings()
                .consumer("mine", "*", new Deliveries())
                .consumer("failing", "client.*", failing)
                .consumer("held", "*", new Deliveries());
        gateway = GatewayUnderTest.start(settings, directory);
        gateway.push(envelope("client.created", 1));
        eventually(() -> assertThat(gateway.metric("holdfast_consumer_lanes_backing_off{consumer=\"failing\"}"))
                .isEqualTo(1));
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    private static String run(String... verb) {
        return Verb.run(gateway, "consumers", verb).done();
    }

    private static double paused() {
        return gateway.metric("holdfast_consumer_paused{consumer=\"held\"}");
    }

    @Test
    void theListHasALineForEachByName() {
        eventually(() -> assertThat(run("list").lines().toList()).hasSize(4).satisfies(lines -> {
            assertThat(lines.get(0)).startsWith("CONSUMER  STATE ").endsWith("LAST FAILURE");
            assertThat(lines.get(1)).matches("failing +\\w+ .* 1 +0  \\S+Z seq 1: .*not today");
            assertThat(lines.get(2)).startsWith("held ");
            assertThat(lines.get(3)).matches("mine +running +0 .* 0 +0  -");
        }));
        assertThat(new JsonObject(run("list", "--output", "json")).getJsonArray("consumers"))
                .hasSize(3);
    }

    @Test
    void oneIsShownWithItsBlockedLanes() {
        eventually(
                () -> assertThat(run("get", "failing"))
                        .containsPattern("consumer +failing\\R")
                        .containsPattern("events +client\\.\\*\\R")
                        .containsPattern("behind +\\d positions?, the oldest push .+ old\\R")
                        .containsPattern("dead letters +0\\R")
                        .containsPattern(
                                "BLOCKED LANE +BY SEQ .*\\Rdefault / ent-1 / client +1  client\\.created +1 +\\d+ .*not today"));
        assertThat(new JsonObject(run("get", "failing", "--output", "json")).getJsonArray("lanes"))
                .hasSize(1);
    }

    @Test
    void oneIsPausedAndResumedAndAMetricSaysSo() {
        assertThat(paused()).isZero();
        assertThat(run("pause", "held")).startsWith("held is paused");
        assertThat(paused()).isEqualTo(1);
        assertThat(gateway.metric("holdfast_consumer_paused")).isEqualTo(1);

        gateway.push(envelope("conversation.closed", 2));
        assertThat(run("get", "held")).containsPattern("state +paused");

        assertThat(new JsonObject(run("resume", "held", "--output", "json")).getString("state"))
                .isEqualTo("running");
        assertThat(paused()).isZero();
        eventually(() -> assertThat(run("get", "held")).containsPattern("behind +by nothing"));
    }

    @Test
    void aPushThatFailedBeforeThePauseSaysWhatItWaitsFor() {
        run("pause", "failing");
        try {
            assertThat(Verb.run(gateway, "pushes", "get", "1").done())
                    .containsPattern("failing +blocked: failed after \\d+ attempts?; the consumer is paused\\R");
            assertThat(run("get", "failing")).containsPattern("up to [12], but for what waits in blocked lanes");
        } finally {
            run("resume", "failing");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"get", "pause", "resume"})
    void aNameThatThereIsNotIsAFailureAndNoneIsUsedWrongly(String verb) {
        Verb unknown = Verb.run(gateway, "consumers", verb, "no body");
        assertThat(unknown.status()).isEqualTo(1);
        assertThat(unknown.err()).contains("found no consumer no body");
        assertThat(unknown.out()).isEmpty();

        assertThat(Verb.run(gateway, "consumers", verb).status()).isEqualTo(2);
        assertThat(Verb.run(gateway, "consumers").status()).isEqualTo(2);
    }
}
