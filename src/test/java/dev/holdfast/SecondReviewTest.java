package dev.holdfast;

import static dev.holdfast.DeliveryOrderTest.envelopes;
import static dev.holdfast.DeliveryOrderTest.push;
import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.GatewayUnderTest.envelope;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.consumer.PermanentFailure;
import dev.holdfast.consumer.PushConsumer;
import dev.holdfast.push.Push;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the second review found: each fails until it is mended. */
@Timeout(90)
class SecondReviewTest {
    private static volatile Promise<Object> starting = Promise.promise();

    @TempDir
    Path directory;

    private final Deliveries deliveries = new Deliveries();
    private final Deliveries others = new Deliveries();
    private final AtomicBoolean broken = new AtomicBoolean(true);
    private final AtomicBoolean stuck = new AtomicBoolean(true);

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

    private static int letters(GatewayUnderTest gateway) {
        return new JsonObject(gateway.management("/api/dead-letters").body())
                .getJsonArray("deadLetters")
                .size();
    }

    @Test
    void aDeadLetterThatIsDiscardedWhileItsLaneWaitsIsNotDelivered() {
        deliveries.behave(push -> {
            if (broken.get()) {
                return Future.failedFuture(new PermanentFailure("no"));
            }
            return push.seq() == 1 && stuck.get() ? Future.failedFuture("not yet") : Future.succeededFuture();
        });
        GatewaySettings settings = new GatewaySettings()
                .consumer("mine", "*", deliveries, "retry: {first-delay: 300ms, max-delay: 300ms}");
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            push(gateway, envelopes("client.created", "ent-1", 3));
            eventually(() -> assertThat(letters(gateway)).isEqualTo(3));
            broken.set(false);
            gateway.manage("/api/dead-letters/retry", "{\"all\":true}");
            eventually(() -> assertThat(deliveries.attemptedSeqs()).hasSizeGreaterThan(3));

            gateway.manage("/api/dead-letters/discard", "{\"seq\":3,\"reason\":\"by hand\"}");
            stuck.set(false);

            eventually(() -> assertThat(deliveries.handledSeqs()).contains(1L, 2L));
            eventually(
                    () -> assertThat(gateway.management("/api/replays").body()).contains("\"state\":\"done\""));
            assertThat(deliveries.handledSeqs()).containsExactly(1L, 2L);
        }
    }

    @Test
    void aRetryDeliversOrNamesWhatTheConsumerNoLongerSubscribesTo() {
        deliveries.behave(
                push -> broken.get() ? Future.failedFuture(new PermanentFailure("no")) : Future.succeededFuture());
        try (GatewayUnderTest gateway =
                GatewayUnderTest.start(new GatewaySettings().consumer("mine", "*", deliveries), directory)) {
            push(gateway, envelopes("client.created", "ent-1", 1));
            eventually(() -> assertThat(letters(gateway)).isEqualTo(1));
            broken.set(false);
            gateway.reconfigure(new GatewaySettings().consumer("mine", "conversation.*", deliveries), directory);
            eventually(() -> assertThat(gateway.metric("holdfast_consumer_running{consumer=\"mine\"}"))
                    .isEqualTo(1));

            JsonObject answer = new JsonObject(
                    gateway.manage("/api/dead-letters/retry", "{\"all\":true}").body());

            eventually(
                    () -> assertThat(gateway.management("/api/replays").body()).contains("\"state\":\"done\""));
            assertThat(deliveries.handled())
                    .as(answer + " and " + gateway.management("/api/replays").body())
                    .hasSize(answer.getInteger("retrying"));
        }
    }

    @Test
    void noMoreReplaysBeginThanMayBeOnTheirWayHoweverFastTheyAreAskedFor() {
        deliveries.behave(push -> Future.failedFuture("not yet"));
        try (GatewayUnderTest gateway =
                GatewayUnderTest.start(new GatewaySettings().consumer("mine", "*", deliveries), directory)) {
            push(gateway, envelopes("client.created", "ent-1", 1));
            List<RawConnection> connections = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                connections.add(new RawConnection(gateway.gateway().managementPort()));
            }
            String body = "{\"all\":true}";
            connections.forEach(one -> one.send("POST /api/replays HTTP/1.1\r\nHost: gateway\r\n"
                    + "Content-Type: application/json\r\nContent-Length: "
                    + body.getBytes(StandardCharsets.UTF_8).length + "\r\n\r\n" + body));
            long begun = connections.stream()
                    .filter(one -> one.answer().status() == 200)
                    .count();
            connections.forEach(RawConnection::close);

            assertThat(begun).isLessThanOrEqualTo(32);
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
            assertThat(gateway.management("/api/consumers").body()).doesNotContain("mine");
            assertThat(deliveries.handled()).isEmpty();
        }
    }
}
