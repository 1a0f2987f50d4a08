package dev.holdfast.delivery;

import static dev.holdfast.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.delivery.PlannedPush.Fate;
import dev.holdfast.push.PermanentFailure;
import dev.holdfast.push.Push;
import dev.holdfast.push.PushRecord;
import dev.holdfast.store.DeadLetter;
import dev.holdfast.store.ReplayState;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class DeadLetterRetryTest {
    private static final ConsumerConfig CONFIG = Life.consumer("one", 4, Duration.ofMillis(1));

    @TempDir
    Path directory;

    private final List<Long> retried = new CopyOnWriteArrayList<>();
    private final Promise<Void> first = Promise.promise();
    private volatile boolean retrying;

    /** The first two can be handled when they are retried, the third one never. */
    private Future<?> handle(Push push) {
        if (retrying) {
            retried.add(push.seq());
        }
        if (!retrying || push.seq() == 3) {
            return Future.failedFuture(new PermanentFailure("planned"));
        }
        return push.seq() == 1 ? first.future() : Future.succeededFuture();
    }

    private Life begin() {
        return begin(this::handle);
    }

    private Life begin(Function<Push, Future<?>> handler) {
        Life life = new Life(directory, Limits.STANDARD);
        life.add(CONFIG, (push, vertx) -> handler.apply(push));
        return life;
    }

    /** All three are dead letters, and retried from now on. */
    private void retry(Life life) {
        life.send(List.of(push(1, 1), push(1, 2), push(2, 3)));
        eventually(() -> assertThat(life.journal().deadLetters().count("one")).isEqualTo(3));
        retrying = true;
        life.retryAll();
    }

    /** Where the third one has come so often, the first two are in memory as often. */
    private void awaitThird(int times) {
        eventually(() -> assertThat(Collections.frequency(retried, 3L)).isEqualTo(times));
    }

    private static void awaitRetries(Life life) {
        eventually(() -> assertThat(life.delivery().replays().states().await())
                .isNotEmpty()
                .extracting(ReplayState::stage)
                .containsOnly(ReplayState.Stage.DONE));
    }

    @Test
    void twoRetriesAtATimeBringAPushOnce() {
        Life life = begin();
        retry(life);
        life.retryAll();
        awaitThird(2);

        first.complete();

        awaitRetries(life);
        life.stop();
        assertThat(retried).containsOnlyOnce(1L, 2L).hasSize(4);
    }

    @Test
    void aPushThatIsADeadLetterComesByItsRetryOnlyThoughACrashCameBeforeTheCheckpoint() {
        Life struck = begin();
        struck.journal().holdCursors();
        retry(struck);
        awaitThird(1);
        struck.crash();
        retried.clear();
        Life life = begin();
        awaitThird(1);

        first.complete();

        awaitRetries(life);
        life.stop();
        assertThat(retried).containsExactlyInAnyOrder(1L, 2L, 3L);
    }

    @Test
    void eachAttemptOfARetryCountsOnceThoughACrashCameBeforeTheCheckpoint() {
        Life struck = begin(this::failSecondForGood);
        struck.send(List.of(push(1, 1)));
        eventually(() -> assertThat(struck.journal().deadLetters().count("one")).isEqualTo(1));
        DeadLetter.Failure failure = letter(struck).first();
        retrying = true;
        struck.retryAll();
        eventually(() -> assertThat(struck.journal().positions().all().keySet().stream()
                        .filter(RunningReplay::hasName)
                        .flatMap(name -> struck.journal().blockedPushes().firstOfEachLane(name, 1).stream()))
                .anyMatch(push -> push.retry() != null));
        struck.journal().holdCursors();
        first.complete();
        eventually(() -> assertThat(attempts(struck)).isEqualTo(3));
        struck.crash();

        Life life = begin(this::failSecondForGood);

        awaitRetries(life);
        assertThat(attempts(life)).isEqualTo(4);
        assertThat(letter(life).first()).isEqualTo(failure);
        life.stop();
    }

    private Future<?> failSecondForGood(Push push) {
        if (retrying && push.attempt() == 1) {
            return Future.failedFuture("planned");
        }
        return (retrying ? first.future() : Future.succeededFuture())
                .compose(v -> Future.failedFuture(new PermanentFailure("planned")));
    }

    private static int attempts(Life life) {
        return letter(life).attempts();
    }

    private static DeadLetter letter(Life life) {
        return life.journal().deadLetters().get("one", 1).orElseThrow();
    }

    @Test
    void aDeadLetterThatIsDiscardedWhileItFailsAgainStaysDiscarded() {
        Life life = begin();
        first.complete();
        retry(life);
        eventually(() -> assertThat(life.journal().deadLetters().count("one")).isEqualTo(1));
        awaitRetries(life);
        life.journal().holdLetters();
        life.retryAll();
        eventually(() -> assertThat(life.journal().waitingLetters()).isEqualTo(1));

        life.journal()
                .deadLetters()
                .discard("one", 3, "by hand")
                .toCompletableFuture()
                .join();
        life.journal().keepAgain();

        awaitRetries(life);
        assertThat(life.journal().deadLetters().count("one")).isZero();
        life.stop();
    }

    @Test
    void noPlaceIsSavedBeyondAPushWhoseDeadLetterIsNotDurable() {
        AtomicLong handled = new AtomicLong();
        Life struck = new Life(directory, Limits.STANDARD);
        struck.add(CONFIG, (push, vertx) -> {
            handled.incrementAndGet();
            return push.seq() == 1 ? handle(push) : Future.succeededFuture();
        });
        struck.journal().holdLetters();
        // So many that some are handled only when a place was saved.
        int many = 2 * Limits.STANDARD.unsaved();
        struck.send(LongStream.rangeClosed(1, many)
                .mapToObj(seq -> push(seq == 1 ? 1 : 2, seq))
                .toList());
        eventually(() -> assertThat(handled).hasValue(many));
        struck.crash();

        Life life = begin();

        eventually(() -> assertThat(life.journal().deadLetters().list("one", 0, 1))
                .extracting(letter -> letter.push().seq())
                .containsExactly(1L));
        life.stop();
    }

    /** What is known of those that wait takes memory, or a reference in the store. */
    @Test
    void aRetryOfManyTakesInNoMoreThanTheConsumerComesTo() {
        int many = 150;
        Limits small = new Limits(64, 1024, 16, 64, 8, 8, 4, 64, 20);
        AtomicLong most = new AtomicLong();
        Life life = new Life(directory, small);
        life.add(Life.consumer("one", 1, Duration.ofMillis(1)), (push, vertx) -> {
            if (!retrying) {
                return Future.failedFuture(new PermanentFailure("planned"));
            }
            retried.add(push.seq());
            life.journal().positions().all().keySet().stream()
                    .filter(RunningReplay::hasName)
                    .forEach(name ->
                            most.accumulateAndGet(life.journal().blockedPushes().count(name), Math::max));
            return vertx.timer(4).mapEmpty();
        });
        life.send(LongStream.rangeClosed(1, many)
                .mapToObj(seq -> push((int) seq, seq))
                .toList());
        eventually(() -> assertThat(life.journal().deadLetters().count("one")).isEqualTo(many));
        retrying = true;

        life.retryAll();

        awaitRetries(life);
        life.stop();
        assertThat(retried).hasSize(many);
        assertThat(most.get()).isLessThan(64);
    }

    @Test
    void aDeadLetterThatWasKeptThoughItsSaveFailedAndIsSavedOnceMoreCountsOnce() {
        Life life = new Life(directory, Limits.STANDARD);
        life.journal().denyLetter();
        life.add(CONFIG, (push, vertx) -> Future.failedFuture(new PermanentFailure("planned")));

        life.send(List.of(push(1, 1)));

        eventually(() -> assertThat(life.delivery().neededFrom()).isEqualTo(2));
        assertThat(life.journal().deadLetters().count("one")).isEqualTo(1);
        eventually(() -> assertThat(life.deadLetters()).isEqualTo(1));
        life.stop();
    }

    private static PushRecord push(int enterprise, long seq) {
        return new PlannedPush(enterprise, "client.created", 0, Fate.GOOD, 0).record(seq);
    }
}
