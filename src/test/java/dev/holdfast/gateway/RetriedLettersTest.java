package dev.holdfast.gateway;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.gateway.DeliveryOrderTest.envelopes;
import static dev.holdfast.gateway.DeliveryOrderTest.push;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.push.PermanentFailure;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of dead letters while they are retried. */
@Timeout(90)
class RetriedLettersTest {
    @TempDir
    Path directory;

    private final Deliveries deliveries = new Deliveries();
    private final AtomicBoolean broken = new AtomicBoolean(true);
    private final AtomicBoolean stuck = new AtomicBoolean(true);

    private static int letters(GatewayUnderTest gateway) {
        return new JsonObject(gateway.management("/api/v1/dead-letters").body())
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
            gateway.manage("/api/v1/dead-letters/retry", "{\"all\":true}");
            eventually(() -> assertThat(deliveries.attemptedSeqs()).hasSizeGreaterThan(3));

            gateway.manage("/api/v1/dead-letters/discard", "{\"seq\":3,\"reason\":\"by hand\"}");
            stuck.set(false);

            eventually(() -> assertThat(deliveries.handledSeqs()).contains(1L, 2L));
            eventually(() ->
                    assertThat(gateway.management("/api/v1/replays").body()).contains("\"state\":\"done\""));
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

            JsonObject answer = new JsonObject(gateway.manage("/api/v1/dead-letters/retry", "{\"all\":true}")
                    .body());

            eventually(() ->
                    assertThat(gateway.management("/api/v1/replays").body()).contains("\"state\":\"done\""));
            assertThat(deliveries.handled())
                    .as(answer + " and " + gateway.management("/api/v1/replays").body())
                    .hasSize(answer.getInteger("retrying"));
        }
    }

    @Test
    void aRetryThatFailsKeepsWhatWentWrongBefore() {
        deliveries.behave(push -> Future.failedFuture(new PermanentFailure("too long")));
        try (GatewayUnderTest gateway =
                GatewayUnderTest.start(new GatewaySettings().consumer("mine", "*", deliveries), directory)) {
            push(gateway, envelopes("client.created", "ent-1", 1));
            eventually(() -> assertThat(letters(gateway)).isEqualTo(1));
            JsonObject before = letter(gateway);

            deliveries.behave(push -> Future.failedFuture(new PermanentFailure("too short")));
            gateway.manage("/api/v1/dead-letters/retry", "{\"all\":true}");

            eventually(() -> assertThat(letter(gateway).getJsonObject("last").getString("error"))
                    .isEqualTo("too short"));
            JsonObject after = letter(gateway);
            assertThat(after.getJsonObject("first")).isEqualTo(before.getJsonObject("first"));
            assertThat(after.getInteger("attempts")).isEqualTo(2);
        }
    }

    private static JsonObject letter(GatewayUnderTest gateway) {
        return new JsonObject(gateway.management("/api/v1/dead-letters").body())
                .getJsonArray("deadLetters")
                .getJsonObject(0);
    }
}
