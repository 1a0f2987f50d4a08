package dev.holdfast.gateway;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LogLines;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A consumer whose code blocks its thread and doesn't come back. */
@Timeout(60)
class BlockedConsumerTest {
    @TempDir
    Path directory;

    private final Deliveries deliveries = new Deliveries();
    private final CountDownLatch mended = new CountDownLatch(1);

    private Future<?> block() {
        try {
            mended.await();
            return Future.succeededFuture();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Future.failedFuture(e);
        }
    }

    /** Its message is that of a call that was given up, and not of an answer that nobody waits for any more after much longer. */
    @Test
    void aCallThatBlocksIsAFailureSoonAfterItsTimeout() {
        deliveries.behave(push -> block());
        GatewaySettings settings = new GatewaySettings().consumer("mine", "*", deliveries, "timeout: 5s");
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            gateway.push(envelope("client.created", 1));

            eventually(() -> assertThat(
                            gateway.management("/api/v1/consumers/mine").body())
                    .contains("TimeoutException: not done within 5000 ms"));

            mended.countDown();
            eventually(() -> assertThat(deliveries.handled()).hasSize(2));
        }
    }

    /** Nothing more reaches it, so nothing more fails that would show it. */
    @Test
    void aConsumerWhoseThreadDoesNotComeBackIsStuck() {
        deliveries.behave(push -> block());
        GatewaySettings settings = new GatewaySettings().consumer("mine", "*", deliveries, "timeout: 100ms");
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            gateway.push(envelope("client.created", 1));

            eventually(() -> assertThat(state(gateway)).isEqualTo("stuck"));

            mended.countDown();
            eventually(() -> assertThat(state(gateway)).isEqualTo("running"));
        }
    }

    private static String state(GatewayUnderTest gateway) {
        return new JsonObject(gateway.management("/api/v1/consumers/mine").body()).getString("state");
    }

    /** Of a stop that somebody waits for, who is it that is waited for? */
    @Test
    void whoIsLeftBehindAtAStopIsNamed() {
        deliveries.behave(push -> block());
        GatewaySettings settings =
                new GatewaySettings().receiver("drain-timeout: 2s").consumer("mine", "*", deliveries);
        try (LogLines log = LogLines.atInfo()) {
            try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
                gateway.push(envelope("client.created", 1));
                eventually(() -> assertThat(deliveries.attempts()).hasSize(1));
            }

            assertThat(log.text())
                    .contains("no more pushes are accepted; consumers have 2000 ms for what they have under way")
                    .containsPattern("still at work after \\d+ ms, and left behind: consumer-mine\\.1-0");
        } finally {
            mended.countDown();
        }
    }
}
