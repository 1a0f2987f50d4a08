package dev.holdfast.delivery;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.config.RetryConfig;
import dev.holdfast.push.Push;
import dev.holdfast.push.PushRecord;
import dev.holdfast.store.DeliveryStatus;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One of a consumer's two instances blocks its thread, and the other doesn't. */
@Timeout(60)
class BlockedInstanceTest {
    private static final Limits LIMITS = new Limits(64, 1024, 16, 64, 8, 8, 4, 64, 20);

    private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);
    /** Of an event that is no longer wanted in the end. */
    private static final String GONE = "conversation.created";

    @TempDir
    Path directory;

    private final CompletableFuture<Void> mended = new CompletableFuture<>();
    private final AtomicInteger calls = new AtomicInteger();
    private final List<Long> handled = new CopyOnWriteArrayList<>();
    private final List<String> threads = new CopyOnWriteArrayList<>();

    private static ConsumerConfig consumer(Duration timeout) {
        return consumer(timeout, "*");
    }

    private static ConsumerConfig consumer(Duration timeout, String event) {
        Duration delay = Duration.ofMillis(50);
        return Life.consumer(
                "one",
                List.of(event),
                ConsumerConfig.Start.EARLIEST,
                4,
                2,
                timeout,
                new RetryConfig(delay, 1, delay, 0, null, null));
    }

    private static PushRecord push(int lane, long seq) {
        return new PlannedPush(lane, "client.created", 0, PlannedPush.Fate.GOOD, 0).record(seq);
    }

    private Future<?> blockTheFirst(Push push) {
        if (calls.incrementAndGet() == 1) {
            mended.join();
        }
        handled.add(push.seq());
        threads.add(Thread.currentThread().getName());
        return Future.succeededFuture();
    }

    @Test
    void theOtherOneIsGivenWhatItNeverCameBackFromUntilItDoes() {
        Life life = new Life(directory, LIMITS);
        life.add(consumer(Duration.ofMillis(200)), (push, vertx) -> blockTheFirst(push));
        try {
            life.send(List.of(push(1, 1)));
            until(() -> calls.get() == 1);
            life.send(List.of(push(1, 2), push(2, 3)));

            eventually(() -> assertThat(handled).contains(1L, 2L, 3L));
            assertThat(threads).isNotEmpty().allMatch(thread -> thread.startsWith("one-1"));
        } finally {
            mended.complete(null);
        }
        threads.clear();
        AtomicInteger next = new AtomicInteger(3);
        eventually(() -> {
            int seq = next.incrementAndGet();
            life.send(List.of(push(seq, seq)));
            until(() -> handled.contains((long) seq));
            assertThat(threads.get(threads.size() - 1)).startsWith("one-0");
        });
        life.stop();
    }

    @Test
    void theOtherOneIsGivenItInTheEndAlsoByADeliveryThatBeganWhenItWasBlocked() {
        Life life = new Life(directory, LIMITS, Duration.ofMillis(100));
        life.add(consumer(Duration.ofMillis(200)), (push, vertx) -> blockTheFirst(push));
        try {
            life.send(List.of(push(1, 1)));
            until(() -> calls.get() == 1);
            life.delivery().consumers().pause("one").await();
            life.delivery().consumers().resume("one").await();

            eventually(() -> assertThat(handled).contains(1L));
            assertThat(threads).allMatch(thread -> thread.startsWith("one-1"));
        } finally {
            mended.complete(null);
        }
        life.stop();
    }

    /** So that the fourth push waits there behind the second one, the other one blocks, too, at first. */
    @Test
    void whatWaitedThereWhenTheDeliveryEndedIsNotHandledBehindWhatWasHandledSince() {
        CompletableFuture<Void> atTheOther = new CompletableFuture<>();
        Life life = new Life(directory, LIMITS, Duration.ofMillis(200));
        life.add(consumer(Duration.ofSeconds(50)), (push, vertx) -> {
            (push.seq() == 1 ? atTheOther : push.seq() == 2 ? mended : DONE).join();
            handled.add(push.seq());
            return Future.succeededFuture();
        });
        try {
            life.send(List.of(push(1, 1), new PlannedPush(2, GONE, 0, PlannedPush.Fate.GOOD, 0).record(2)));
            life.send(List.of(push(3, 3), push(4, 4)));
            eventually(() -> assertThat(state(life, 4)).isEqualTo(DeliveryStatus.State.UNDER_WAY));
            atTheOther.complete(null);
            eventually(() -> assertThat(handled).contains(1L, 3L));

            life.delivery().consumers().takeOut("one").await();
            life.deliver(consumer(Duration.ofSeconds(50), "client.*"));
            life.send(List.of(push(4, 5)));
            eventually(() -> assertThat(handled).contains(5L));
        } finally {
            atTheOther.complete(null);
            mended.complete(null);
        }
        // It ends the instances, each behind what waits there.
        life.stop();
        assertThat(handled).containsSubsequence(4L, 5L, 2L).doesNotHaveDuplicates();
    }

    private static DeliveryStatus.State state(Life life, long seq) {
        PushRecord push = life.journal().get(seq).orElseThrow();
        return life.delivery().views().deliveries(push).await().get(0).state();
    }
}
