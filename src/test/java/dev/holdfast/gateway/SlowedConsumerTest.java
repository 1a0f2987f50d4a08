package dev.holdfast.gateway;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.gateway.DeliveryOrderTest.envelopes;
import static dev.holdfast.gateway.DeliveryOrderTest.push;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.push.PermanentFailure;
import dev.holdfast.push.Push;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A consumer that fails everything, and what that costs its pushes. */
@Timeout(60)
class SlowedConsumerTest {
    private static final String FEW_ATTEMPTS =
            "retry: {first-delay: 10ms, max-delay: 500ms, jitter: 0, max-attempts: 3}";

    /** So many different pushes fail, with none handled between them, and it is all of them that fail. */
    private static final int THRESHOLD = 10;

    @TempDir
    Path directory;

    private final Deliveries deliveries = new Deliveries();
    private final AtomicBoolean broken = new AtomicBoolean(true);

    private Future<?> fail(Push push) {
        return broken.get() ? Future.failedFuture("all is down") : Future.succeededFuture();
    }

    private static List<String> lanes(int count) {
        return IntStream.range(0, count)
                .mapToObj(n -> envelope("client.created", "ent-" + n, n))
                .toList();
    }

    @Test
    void consumersAreListedByName() {
        GatewaySettings settings = new GatewaySettings()
                .consumer("mine", "*", new Deliveries())
                .consumer("clients", "client.*", new Deliveries());
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            JsonArray consumers =
                    new JsonObject(gateway.management("/api/v1/consumers").body()).getJsonArray("consumers");

            assertThat(consumers.stream().map(consumer -> ((JsonObject) consumer).getString("name")))
                    .containsExactly("clients", "mine");
        }
    }

    private static boolean slowed(GatewayUnderTest gateway) {
        String body = gateway.management("/api/v1/consumers").body();
        JsonObject mine = new JsonObject(body).getJsonArray("consumers").getJsonObject(0);
        assertThat(mine.getString("name")).isEqualTo("mine");
        assertThat(gateway.metric("holdfast_consumer_breaker_state{consumer=\"mine\",state=\"open\"}"))
                .isBetween(0.0, 1.0);
        return mine.getString("state").equals("slowed");
    }

    @Test
    void itIsSlowedAsAWholeShownAsSuchAndBurnsFewAttempts() {
        List<Long> times = new CopyOnWriteArrayList<>();
        deliveries.behave(push -> {
            times.add(System.nanoTime());
            return fail(push);
        });
        GatewaySettings settings = new GatewaySettings().consumer("mine", "*", deliveries, FEW_ATTEMPTS);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            push(gateway, lanes(400));

            eventually(() -> assertThat(slowed(gateway)).isTrue());
            eventually(() -> assertThat(times).hasSizeGreaterThanOrEqualTo(40));
            // 25 are under way, or were, when it slows: one, two and four come after waits of 500 ms, the fortieth
            // after a fourth one.
            assertThat(times.get(39) - times.get(THRESHOLD - 1)).isGreaterThan(1_900_000_000L);

            broken.set(false);
            eventually(() -> assertThat(deliveries.handled()).hasSizeGreaterThan(380));
            assertThat(slowed(gateway)).isFalse();
        }
    }

    @Test
    void aStuckLaneSlowsNobody() {
        deliveries.behave(push -> push.enterpriseToken().equals("ent-0") ? fail(push) : Future.succeededFuture());
        GatewaySettings settings = new GatewaySettings().consumer("mine", "*", deliveries);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            push(gateway, lanes(1));
            eventually(() -> assertThat(slowed(gateway)).isTrue());
            eventually(() -> assertThat(gateway.management("/api/v1/overview").body())
                    .contains("Consumer mine has 1 blocked lane: push 1 fails with: "));
            assertThat(gateway.management("/api/v1/overview").body()).doesNotContain("fails everything");

            push(gateway, lanes(50));
            eventually(() -> assertThat(deliveries.handled()).hasSize(49));
        }
    }

    @Test
    void itIsShownAsSlowedAlsoWithFewLanes() {
        deliveries.behave(this::fail);
        GatewaySettings settings = new GatewaySettings().consumer("mine", "*", deliveries);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            push(gateway, lanes(3));

            eventually(() -> assertThat(slowed(gateway)).isTrue());
            JsonObject mine = new JsonObject(
                            gateway.management("/api/v1/consumers").body())
                    .getJsonArray("consumers")
                    .getJsonObject(0);
            assertThat(mine.getJsonObject("lastFailure").getString("error")).contains("all is down");
        }
    }

    private static double deadLetters(GatewayUnderTest gateway) {
        return gateway.metric("holdfast_consumer_dead_letters{consumer=\"mine\"}");
    }

    /** One after the other, each of another enterprise; none is left when the next one comes. */
    private static void deadLetters(GatewayUnderTest gateway, int count) {
        for (int n = 0; n < count; n++) {
            int more = n + 1;
            push(gateway, List.of(envelope("client.created", "bad-" + n, n)));
            eventually(() -> assertThat(deadLetters(gateway)).isEqualTo(more));
        }
    }

    private Future<?> refuse(Push push) {
        return push.enterpriseToken().startsWith("bad-")
                ? Future.failedFuture(new PermanentFailure("no such customer"))
                : Future.succeededFuture();
    }

    @Test
    void behindDeadLettersAloneTheNextPushIsTried() {
        deliveries.behave(this::refuse);
        GatewaySettings settings = new GatewaySettings().consumer("mine", "*", deliveries, FEW_ATTEMPTS);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            deadLetters(gateway, THRESHOLD);
            push(gateway, lanes(5));

            eventually(() -> assertThat(deliveries.handled()).hasSize(5));
            assertThat(slowed(gateway)).isFalse();
        }
    }

    /** After each wait only one that is refused is tried: with longer waits all of them would take an hour. */
    @Test
    void aLaneThatWorkedDoesNotWaitForAllThatAreRefused() {
        deliveries.behave(this::refuse);
        GatewaySettings settings = new GatewaySettings().consumer("mine", "*", deliveries, FEW_ATTEMPTS);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            push(gateway, List.of(envelope("client.created", "good", 0)));
            eventually(() -> assertThat(deliveries.handled()).hasSize(1));
            push(
                    gateway,
                    IntStream.range(0, 20 * THRESHOLD)
                            .mapToObj(n -> envelope("client.created", "bad-" + n, n))
                            .toList());
            // By then many of them are taken.
            eventually(() -> assertThat(deliveries.attempts()).hasSizeGreaterThan(1 + THRESHOLD + 2));

            push(gateway, List.of(envelope("client.created", "good", 1)));
            int tried = deliveries.attempts().size();

            eventually(() -> assertThat(deliveries.handled()).hasSize(2));
            assertThat(deliveries.attemptedSeqs().lastIndexOf(20L * THRESHOLD + 2))
                    .isLessThan(tried + THRESHOLD);
        }
    }

    @Test
    void withNothingLeftToTryItIsNotSaidToFailEverything() {
        deliveries.behave(this::refuse);
        GatewaySettings settings = new GatewaySettings().consumer("mine", "*", deliveries, FEW_ATTEMPTS);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            deadLetters(gateway, THRESHOLD);

            assertThat(slowed(gateway)).isTrue();
            eventually(() -> assertThat(gateway.management("/api/v1/overview").body())
                    .contains("There are 10 dead letters")
                    .doesNotContain("fails everything"));
        }
    }

    @Test
    void pushesOfManyLanesThatFailAgainAndAgainKeepOthersBackForATrialOnly() {
        deliveries.behave(push -> push.enterpriseToken().startsWith("bad-") ? fail(push) : Future.succeededFuture());
        GatewaySettings settings = new GatewaySettings().consumer("mine", "*", deliveries, FEW_ATTEMPTS);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            for (int n = 0; n < THRESHOLD; n++) {
                long seq = n + 1L;
                push(gateway, List.of(envelope("client.created", "bad-" + n, n)));
                eventually(() -> assertThat(deliveries.attemptedSeqs()).contains(seq));
            }
            push(gateway, lanes(50));

            eventually(() -> assertThat(deliveries.handled()).hasSize(50));
            eventually(() -> assertThat(deadLetters(gateway)).isEqualTo(THRESHOLD));
        }
    }

    @Test
    void hundredsOfPushesThatFailForNowDontHoldUpAGoodOneBehindThemForLong() {
        deliveries.behave(push -> push.enterpriseToken().equals("good") ? Future.succeededFuture() : fail(push));
        GatewaySettings settings = new GatewaySettings()
                .consumer("mine", "*", deliveries, "retry: {first-delay: 200ms, max-delay: 200ms, max-attempts: 3}");
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            // None is tried before all are there: a turn that finds no untried push goes to one that failed.
            gateway.manage("/api/v1/consumers/mine/pause", "{}");
            push(gateway, lanes(600));
            push(gateway, List.of(envelope("client.created", "good", 600)));
            gateway.manage("/api/v1/consumers/mine/resume", "{}");

            eventually(() -> assertThat(deliveries.handled()).hasSize(1));
            // Of four turns three go to those that were not tried yet: before it come the 600 first attempts and a
            // third as many more.
            assertThat(deliveries.attemptedSeqs().indexOf(601L)).isLessThan(1_000);
        }
    }

    @Test
    void pushesThatEachWantASecondAttemptAreHandledThoughOthersHaveNotHadAFirst() {
        deliveries.behave(push -> push.attempt() == 1 ? fail(push) : Future.succeededFuture());
        GatewaySettings settings =
                new GatewaySettings().consumer("mine", "*", deliveries, "retry: {first-delay: 5ms, max-delay: 500ms}");
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            push(gateway, lanes(300));

            eventually(() -> assertThat(deliveries.handled()).hasSize(300));
        }
    }

    @Test
    void aRetryThatFailsAgainComesToItsEndAndKeepsNothingBack() {
        deliveries.behave(this::refuse);
        GatewaySettings settings = new GatewaySettings().consumer("mine", "*", deliveries, FEW_ATTEMPTS);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            deadLetters(gateway, THRESHOLD);
            push(gateway, lanes(1));
            eventually(() -> assertThat(deliveries.handled()).hasSize(1));

            gateway.manage("/api/v1/dead-letters/retry", "{\"all\":true}");
            eventually(() -> assertThat(deliveries.attempts()).hasSize(2 * THRESHOLD + 1));
            eventually(() ->
                    assertThat(gateway.management("/api/v1/replays").body()).doesNotContain("\"running\""));
            push(gateway, lanes(6));
            // The first of them is a duplicate.
            eventually(() -> assertThat(deliveries.handled()).hasSize(6));
        }
    }

    @Test
    void whileItFailsEverythingItsPushesDontComeNearerToTheDeadLetters() {
        deliveries.behave(this::fail);
        GatewaySettings settings = new GatewaySettings()
                .consumer("mine", "*", deliveries, "retry: {first-delay: 5ms, max-delay: 20ms, max-attempts: 3}");
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            push(gateway, envelopes("client.created", "ent-1", 100));

            eventually(() -> assertThat(deliveries.attempts()).hasSizeGreaterThan(90));
            assertThat(gateway.metric("holdfast_consumer_dead_lettered_total{consumer=\"mine\"}"))
                    .isLessThan(12);
        }
    }
}
