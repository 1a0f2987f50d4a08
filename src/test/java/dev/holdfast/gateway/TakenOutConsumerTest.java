package dev.holdfast.gateway;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LogLines;
import dev.holdfast.consumer.PushConsumer;
import dev.holdfast.push.Push;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Consumers that are taken out of the configuration while something else goes on with them. */
@Timeout(90)
class TakenOutConsumerTest {
    private static volatile Promise<Object> starting = Promise.promise();

    @TempDir
    Path directory;

    private final Deliveries deliveries = new Deliveries();
    private final Deliveries others = new Deliveries();

    /** Starts when the test lets it. */
    public static final class StartsLate extends PushConsumer {
        @Override
        public Future<?> start() throws Exception {
            Future<?> done = super.start();
            return starting.future().compose(v -> done);
        }

        @Override
        protected Future<?> handle(Push push) {
            return Future.succeededFuture();
        }
    }

    /** The first reconfiguration waits ten seconds for the consumer. */
    @Test
    void aConsumerThatWasTakenOutDoesNotComeBackWhenItsReplacementFailsToStart() {
        starting = Promise.promise();
        GatewaySettings before =
                new GatewaySettings().consumer("mine", "*", deliveries).consumer("other", "*", others);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(before, directory);
                LogLines log = LogLines.atInfo()) {
            gateway.reconfigure(
                    new GatewaySettings()
                            .consumer("mine", "*", StartsLate.class.getName(), deliveries)
                            .consumer("other", "*", others),
                    directory);
            gateway.reconfigure(new GatewaySettings().consumer("other", "*", others), directory);
            assertThat(log.text()).contains("stopping consumer mine");
            starting.fail(new IllegalStateException("no database"));

            for (int n = 1; n <= 100; n++) {
                gateway.push(envelope("client.created", n));
            }
            eventually(() -> assertThat(others.handled()).hasSize(100));
            assertThat(gateway.management("/api/v1/consumers/mine").body())
                    .contains("\"state\":\"stopped\"", "it is not configured");
            assertThat(deliveries.handled()).isEmpty();
            assertThat(log.text()).doesNotContain("the one before goes on");
        }
    }

    /** The first reconfiguration waits ten seconds for what the consumer has in hand. */
    @Test
    void aConsumerThatWasTakenOutWhileItEndsIsNotConfiguredAgain() {
        starting = Promise.promise();
        starting.complete();
        Promise<Object> inHand = Promise.promise();
        deliveries.behave(push -> inHand.future());
        GatewaySettings before =
                new GatewaySettings().consumer("mine", "*", deliveries).consumer("other", "*", others);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(before, directory)) {
            gateway.push(envelope("client.created", 1));
            eventually(() -> assertThat(deliveries.attempts()).hasSize(1));
            gateway.reconfigure(
                    new GatewaySettings()
                            .consumer("mine", "*", StartsLate.class.getName(), deliveries)
                            .consumer("other", "*", others),
                    directory);
            CompletableFuture<Void> gone = CompletableFuture.runAsync(
                    () -> gateway.reconfigure(new GatewaySettings().consumer("other", "*", others), directory));
            eventually(() -> assertThat(
                            gateway.management("/api/v1/consumers/mine").body())
                    .contains("it is not configured"));
            inHand.complete();
            gone.join();

            for (int n = 2; n <= 100; n++) {
                gateway.push(envelope("client.created", n));
            }
            eventually(() -> assertThat(others.handled()).hasSize(100));
            assertThat(gateway.management("/api/v1/consumers/mine").body())
                    .contains("\"state\":\"stopped\"", "it is not configured");
        }
    }

    /** The reconfiguration waits ten seconds for the consumer. */
    @Test
    void aReplacementThatFailsToStartAfterItCountedAsStartedIsLoggedAndTriedAgainWhenAsked() {
        starting = Promise.promise();
        GatewaySettings before = new GatewaySettings().consumer("mine", "*", deliveries);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(before, directory);
                LogLines log = LogLines.atInfo()) {
            GatewaySettings changed =
                    new GatewaySettings().consumer("mine", "*", StartsLate.class.getName(), deliveries);
            gateway.reconfigure(changed, directory);
            starting.fail(new IllegalStateException("no database"));

            eventually(() -> assertThat(log.text())
                    .contains("consumer mine can't be started, the one before goes on: "
                            + "IllegalStateException: no database"));
            gateway.push(envelope("client.created", 1));
            eventually(() -> assertThat(deliveries.handled()).hasSize(1));

            starting = Promise.promise();
            starting.complete();
            gateway.reconfigure(changed, directory);
            assertThat(gateway.management("/api/v1/consumers/mine").body())
                    .contains("\"state\":\"running\"", StartsLate.class.getName());
        }
    }
}
