package dev.holdfast.delivery;

import static dev.holdfast.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.config.RetryConfig;
import dev.holdfast.consumer.ConsumerContext;
import dev.holdfast.consumer.LocalCodec;
import dev.holdfast.consumer.PushBatch;
import dev.holdfast.consumer.Receipt;
import dev.holdfast.push.Envelope;
import dev.holdfast.push.PermanentFailure;
import dev.holdfast.push.Push;
import dev.holdfast.push.PushRecord;
import dev.holdfast.push.PushWatcher;
import dev.holdfast.push.RequestHead;
import io.micrometer.core.instrument.Counter;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Consumers that can't be delivered to, or don't answer: what must be kept for them. */
@Timeout(60)
class DeliveryTest {
    private static final ConsumerConfig CONFIG = Life.consumer(
            "absent", 16, new RetryConfig(Duration.ofMillis(10), 2, Duration.ofMillis(100), 0, null, null));

    @TempDir
    Path directory;

    /** Whatever is published waits for it, and the delivery's event loop with it. */
    private volatile CountDownLatch open = new CountDownLatch(0);

    /** So often the watcher throws. */
    private final AtomicInteger throwsLeft = new AtomicInteger();

    private final CompletableFuture<Void> waiting = new CompletableFuture<>();

    private Life life;
    private Delivery delivery;

    private final class FaultyWatcher implements PushWatcher {
        @Override
        public void handled(PushRecord push, String consumer) {
            if (throwsLeft.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new IllegalStateException("a watcher's own fault");
            }
        }

        @Override
        public void published(PushRecord push) {
            waiting.complete(null);
            try {
                open.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @BeforeEach
    void start() {
        life = new Life(directory, Limits.STANDARD, Duration.ofSeconds(30), new FaultyWatcher());
        delivery = life.delivery();
    }

    @AfterEach
    void stop() {
        open.countDown();
        life.stop();
    }

    private void append() {
        append(1);
    }

    private void append(int size) {
        Envelope envelope = new Envelope("", "client.created", "", null, null);
        life.send(List.of(new PushRecord(0, "default", envelope, 0, new RequestHead("", "", "", ""), new byte[size])));
    }

    private void add() {
        adding().await();
    }

    private Future<Void> adding() {
        return Future.join(
                        delivery.consumers().reserve(CONFIG),
                        delivery.consumers().add(CONFIG, context()))
                .mapEmpty();
    }

    private static ConsumerContext context() {
        return new ConsumerContext("absent", CONFIG.timeout(), "visitor.updated");
    }

    @Test
    void pushesAreKeptForAConsumerThatIsNotThereYetAndForOneThatIsPaused() {
        add();
        append();
        assertThat(delivery.neededFrom()).isEqualTo(1);

        delivery.consumers().takeOut("absent").await();
        assertThat(delivery.neededFrom()).isEqualTo(1);

        add();
        assertThat(delivery.neededFrom()).isEqualTo(1);
    }

    @Test
    void nothingIsKeptForAConsumerThatWasRemoved() {
        add();
        append();

        delivery.consumers().remove("absent").await();
        assertThat(delivery.neededFrom()).isEqualTo(Long.MAX_VALUE);

        add();
        delivery.consumers().takeOut("absent").await();
        delivery.consumers().remove("absent").await();
        assertThat(delivery.neededFrom()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void pushesAreKeptForEveryoneWhileTheDeliveryFinishes() {
        add();
        append();

        delivery.finish(Life.TIMEOUT).await();

        assertThat(delivery.neededFrom()).isEqualTo(1);
    }

    @Test
    void pushesAreKeptForAConsumerFromTheMomentItsPlaceIsReserved() {
        append();
        delivery.consumers().reserve(CONFIG).await();

        assertThat(delivery.neededFrom()).isEqualTo(1);
    }

    @Test
    void aConsumerThatIsRemovedWhileItIsBeingAddedIsNotDeliveredTo() {
        open = new CountDownLatch(1);
        append();
        waiting.join();
        Future<Void> added = adding();
        Future<Void> removed = delivery.consumers().remove("absent");
        open.countDown();

        removed.await();
        added.await();

        assertThat(delivery.consumers().there()).isEmpty();
        assertThat(delivery.neededFrom()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aConsumerThatIsPausedWhileItIsBeingAddedIsNotDeliveredToAndItsPushesAreKept() {
        open = new CountDownLatch(1);
        append();
        waiting.join();
        Future<Void> added = adding();
        Future<Void> paused = delivery.consumers().takeOut("absent");
        open.countDown();

        paused.await();
        added.await();

        assertThat(delivery.consumers().there()).isEmpty();
        assertThat(delivery.neededFrom()).isEqualTo(1);
    }

    /** Those behind them come as before: one that is sent alone takes a call of its own. */
    @Test
    void ofABatchWithoutAnAnswerNothingIsHandledAndItsPushesComeOneByOne() {
        List<List<Long>> batches = new CopyOnWriteArrayList<>();
        life.vertx().eventBus().<PushBatch>localConsumer(context().address(0), message -> {
            PushBatch batch = message.body();
            batches.add(batch.pushes().stream().map(Push::seq).toList());
            if (batches.size() == 1) {
                // As if it had been begun.
                batch.withdraw();
                message.fail(0, "died of it");
            } else {
                message.reply(new Receipt(batches.get(batches.size() - 1), null));
            }
        });
        for (int size = 1; size <= 4; size++) {
            append(size);
        }

        // So many lanes at once that a batch is of two.
        life.deliver(Life.consumer("absent", 1024, Duration.ofMillis(1)));

        eventually(
                () -> assertThat(batches).containsExactly(List.of(1L, 2L), List.of(1L), List.of(2L), List.of(3L, 4L)));
        eventually(() -> assertThat(delivery.neededFrom()).isEqualTo(5));
    }

    /** Answers batches one after the other in these ways, all later ones with a receipt of all; what was handled. */
    private List<Long> answering(List<Function<List<Long>, Object>> answers) {
        List<Long> handled = new CopyOnWriteArrayList<>();
        Iterator<Function<List<Long>, Object>> next = answers.iterator();
        life.vertx().eventBus().<PushBatch>localConsumer(context().address(0), message -> {
            List<Long> seqs = message.body().pushes().stream().map(Push::seq).toList();
            if (next.hasNext()) {
                message.reply(next.next().apply(seqs));
            } else {
                handled.addAll(seqs);
                message.reply(new Receipt(seqs, null));
            }
        });
        return handled;
    }

    @Test
    void aPushWhoseDeadLetterCouldNotBeKeptIsTriedAgain() {
        PermanentFailure refused = new PermanentFailure("refused");
        List<Long> handled = answering(List.of(seqs -> new Receipt(List.of(), new Receipt.Failed(1, refused))));
        life.journal().denyLetter();
        append();

        add();

        eventually(() -> assertThat(handled).containsExactly(1L));
    }

    @Test
    void aReceiptOfOtherPushesThanWereSentIsCountedAndNotBelieved() {
        PermanentFailure refused = new PermanentFailure("refused");
        List<Long> handled = answering(List.of(
                seqs -> new Receipt(List.of(1L, 2L, 3L, 4L), null),
                seqs -> new Receipt(List.of(2L), null),
                seqs -> new Receipt(List.of(), new Receipt.Failed(2, refused)),
                seqs -> new Receipt(List.of(1L), new Receipt.Failed(1, refused)),
                seqs -> new Receipt(List.of(1L), new Receipt.Failed(2, refused)),
                seqs -> new Receipt(List.of(), new Receipt.Failed(1, 4, refused)),
                seqs -> "handled"));
        append(1);
        append(2);
        append(3);

        add();

        eventually(() -> assertThat(delivery.neededFrom()).isEqualTo(4));
        assertThat(handled).containsExactly(1L, 2L, 3L);
        assertThat(life.journal().deadLetters().count("absent")).isZero();
        assertThat(life.registry()
                        .get("holdfast.consumer.receipts.mismatched")
                        .counter()
                        .count())
                .isEqualTo(7);
    }

    @Test
    void whateverAConsumerFailsWithItsLaneGoesOn() {
        List<Long> handled = answering(List.of(
                failing(new RuntimeException() {
                    @Override
                    public String getMessage() {
                        throw new IllegalStateException("no message");
                    }
                }),
                failing(new RuntimeException() {
                    @Override
                    public synchronized Throwable getCause() {
                        throw new IllegalStateException("no cause");
                    }
                }),
                seqs -> new Receipt(List.of(), null)));
        append(1);
        append(2);

        add();

        eventually(() -> assertThat(delivery.neededFrom()).isEqualTo(3));
        assertThat(handled).containsExactly(1L, 2L);
    }

    private static Function<List<Long>, Object> failing(Throwable cause) {
        return seqs -> new Receipt(List.of(), new Receipt.Failed(seqs.get(0), cause));
    }

    @Test
    void aWatcherThatThrowsTakesNoneOfTheConsumersPlaces() {
        List<Long> handled = answering(List.of());
        throwsLeft.set(CONFIG.concurrency());
        add();

        for (int n = 1; n <= CONFIG.concurrency() + 1; n++) {
            int sent = n;
            append(n);
            eventually(() -> assertThat(handled).hasSize(sent));
        }

        eventually(() -> assertThat(delivery.neededFrom()).isEqualTo(CONFIG.concurrency() + 2));
        assertThat(throwsLeft).hasValue(0);
    }

    @Test
    void aBatchThatCantBeSentIsSentLater() {
        List<Long> handled = answering(List.of());
        life.vertx().eventBus().unregisterDefaultCodec(PushBatch.class);
        append(1);
        add();
        eventually(() -> assertThat(delivery.views().states().await())
                .allMatch(state -> state.lanesBackingOff() == 1, "has a lane that waits for its next attempt"));

        life.vertx().eventBus().registerDefaultCodec(PushBatch.class, new LocalCodec<>("push-batch-again"));

        eventually(() -> assertThat(delivery.neededFrom()).isEqualTo(2));
        assertThat(handled).containsExactly(1L);
    }

    @Test
    void unsubscribedPushesAreCountedAlsoWhenTooManyWaitToBePublished() {
        open = new CountDownLatch(1);
        for (int n = 0; n < 60; n++) {
            append(1024 * 1024 + n);
        }
        open.countDown();

        eventually(() -> assertThat(life.registry().get("holdfast.pushes.unsubscribed").counters().stream()
                        .mapToDouble(Counter::count)
                        .sum())
                .isEqualTo(60));
    }
}
