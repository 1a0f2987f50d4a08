package dev.holdfast.gateway;

import static dev.holdfast.Eventually.await;
import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.gateway.GatewayUnderTest.bytes;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.push.PermanentFailure;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is old enough goes by itself: a gateway looks for it once a minute. */
@Timeout(180)
class AgedDataTest {
    /** A minute after the start, and what a busy machine takes besides. */
    private static final Duration A_MINUTE_AND_MORE = Duration.ofSeconds(120);

    /** What is kept: of that the API shows nothing that is too old. */
    private static final String QUARANTINED = "holdfast_quarantine_requests";

    @TempDir
    Path directory;

    private static int count(GatewayUnderTest gateway, String path, String list) {
        HttpAnswer answer = gateway.management("/api/v1/" + path);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return new JsonObject(answer.body()).getJsonArray(list).size();
    }

    @Test
    void pushesDeadLettersAndQuarantinedRequestsGo() {
        Deliveries deliveries = new Deliveries();
        deliveries.behave(push -> Future.failedFuture(new PermanentFailure("of a test")));
        GatewaySettings settings = new GatewaySettings()
                .journal("retention: 1s")
                .section("dead-letters: {max-age: 1s}")
                .section("quarantine: {max-age: 1s}")
                .consumer("mine", "*", deliveries);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            gateway.push(envelope("client.created", 1));
            gateway.send(GatewayUnderTest.request(bytes(envelope("client.created", 2)), "Service-Signature: 00"));
            eventually(() -> {
                assertThat(count(gateway, "pushes", "pushes")).isOne();
                assertThat(count(gateway, "dead-letters", "deadLetters")).isOne();
                assertThat(gateway.metric(QUARANTINED)).isEqualTo(1);
            });

            await(A_MINUTE_AND_MORE).pollInterval(Duration.ofSeconds(1)).untilAsserted(() -> {
                assertThat(count(gateway, "pushes", "pushes")).isZero();
                assertThat(count(gateway, "dead-letters", "deadLetters")).isZero();
                assertThat(gateway.metric(QUARANTINED)).isZero();
            });
        }
    }
}
