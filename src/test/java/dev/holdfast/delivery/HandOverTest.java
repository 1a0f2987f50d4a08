package dev.holdfast.delivery;

import static dev.holdfast.Eventually.eventually;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.config.RetryConfig;
import dev.holdfast.push.Envelope;
import dev.holdfast.push.PushRecord;
import dev.holdfast.push.PushWatcher;
import dev.holdfast.push.RequestHead;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Just-committed pushes on their way from the journal's thread to the delivery's event loop. */
class HandOverTest {
    private static final Limits LIMITS = new Limits(6144, 1024, 4096, 4096, 512, 512, 256, 2048, 20);

    @TempDir
    Path directory;

    private final AtomicBoolean starved = new AtomicBoolean();

    /** One that the journal's thread has no memory to call, once. */
    private Context starved(Context context) {
        return (Context) Proxy.newProxyInstance(
                Context.class.getClassLoader(), new Class<?>[] {ContextInternal.class}, (proxy, method, arguments) -> {
                    if (Thread.currentThread().getName().equals("journal") && starved.getAndSet(false)) {
                        throw new OutOfMemoryError("made up");
                    }
                    try {
                        return method.invoke(context, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void pushesThatMemoryRanOutForOnTheWayAreReadThoughNoOthersCome() {
        Life life = new Life(directory, LIMITS, this::starved);
        Set<Long> handled = ConcurrentHashMap.newKeySet();
        life.add(Life.consumer("one", 4, Duration.ofMillis(10)), (push, vertx) -> {
            handled.add(push.seq());
            return Future.succeededFuture();
        });
        starved.set(true);

        life.send(List.of(new PlannedPush(1, "client.created", 0, PlannedPush.Fate.GOOD, 0).record(1)));

        eventually(() -> assertThat(handled).containsExactly(1L));
        assertThat(starved).isFalse();
        life.stop();
    }

    @Test
    void thoseThatComeAfterwardsAreOffered() throws Exception {
        Vertx vertx = Vertx.vertx();
        try {
            List<Long> offered = new CopyOnWriteArrayList<>();
            HandOver handOver = new HandOver(
                    starved(vertx.getOrCreateContext()),
                    Limits.STANDARD,
                    System::nanoTime,
                    pushes -> offered.addAll(seqs(pushes)));
            starved.set(true);
            Thread journal = new Thread(
                    () -> {
                        assertThatThrownBy(() -> handOver.take(List.of(push(1, 100))))
                                .isInstanceOf(OutOfMemoryError.class);
                        handOver.take(List.of(push(2, 100)));
                    },
                    "journal");
            journal.start();
            journal.join();

            eventually(() -> assertThat(offered).containsExactly(2L));
        } finally {
            vertx.close().await();
        }
    }

    @Test
    void pushesThatFoundNoRoomOnTheWayAreReadBeforeThoseThatFindSomeAgain() {
        BlockingQueue<Long> published = new LinkedBlockingQueue<>();
        Semaphore goesOn = new Semaphore(0);
        PushWatcher watcher = new PushWatcher() {
            @Override
            public void published(PushRecord push) {
                published.add(push.seq());
                goesOn.acquireUninterruptibly();
            }
        };
        Life life = new Life(directory, LIMITS, Life.TIMEOUT, watcher);
        List<Long> handled = new CopyOnWriteArrayList<>();
        RetryConfig retry = new RetryConfig(Duration.ofMillis(10), 1, Duration.ofMillis(10), 0, null, null);
        life.add(Life.consumer("one", ConsumerConfig.Start.EARLIEST, 4, retry, "client.created"), (push, vertx) -> {
            handled.add(push.seq());
            return Future.succeededFuture();
        });
        life.send(List.of(large(1)));
        eventually(() -> assertThat(published).containsExactly(1L));

        // Far more than there is room for, and what is wanted behind that.
        for (int n = 2; n <= 64; n++) {
            life.send(List.of(large(n)));
        }
        life.send(List.of(new PlannedPush(1, "client.created", 0, PlannedPush.Fate.GOOD, 0).record(65)));
        goesOn.release();
        eventually(() -> assertThat(published).containsExactly(1L, 2L));
        life.send(List.of(large(66)));
        goesOn.release(1_000);

        eventually(() -> assertThat(handled).containsExactly(65L));
        life.stop();
    }

    /** One of a MiB that nobody wants. */
    private static PushRecord large(int n) {
        PushRecord push = new PlannedPush(1, "conversation.created", 0, PlannedPush.Fate.GOOD, 0).record(n);
        byte[] body = Arrays.copyOf(push.body(), 1 << 20);
        Arrays.fill(body, push.body().length, body.length, (byte) ' ');
        return new PushRecord(push.seq(), push.endpoint(), push.envelope(), push.receivedAt(), push.head(), body);
    }

    @Test
    void whatComesRightAfterOthersIsGathered() {
        Vertx vertx = Vertx.vertx();
        try {
            Context context = vertx.getOrCreateContext();
            List<List<Long>> offered = new CopyOnWriteArrayList<>();
            HandOver handOver = new HandOver(context, Limits.STANDARD, () -> 0, pushes -> offered.add(seqs(pushes)));

            assertThat(offersAfter(context, handOver, offered, 1, 2)).isEqualTo(1);
            assertThat(offersAfter(context, handOver, offered, 3, 4)).isEqualTo(1);

            eventually(() -> assertThat(offered).containsExactly(List.of(1L, 2L), List.of(3L, 4L)));
            eventually(() -> assertThat(handOver.isEmpty()).isTrue());
        } finally {
            vertx.close().await();
        }
    }

    @Test
    void muchIsOfferedInPages() {
        Vertx vertx = Vertx.vertx();
        try {
            Context context = vertx.getOrCreateContext();
            List<List<Long>> offered = new CopyOnWriteArrayList<>();
            HandOver handOver =
                    new HandOver(context, Limits.STANDARD, System::nanoTime, pushes -> offered.add(seqs(pushes)));

            context.runOnContext(v -> {
                for (long seq = 1; seq <= 3; seq++) {
                    handOver.take(List.of(push(seq, (int) Limits.PAGE_BYTES * 3 / 4)));
                }
            });

            eventually(() -> assertThat(offered).containsExactly(List.of(1L, 2L), List.of(3L)));
            eventually(() -> assertThat(handOver.isEmpty()).isTrue());
        } finally {
            vertx.close().await();
        }
    }

    @Test
    void whatWaitsIsOfferedAlthoughThoseBeforeCanNotBe() {
        Vertx vertx = Vertx.vertx();
        try {
            List<Long> offered = new CopyOnWriteArrayList<>();
            AtomicReference<HandOver> itself = new AtomicReference<>();
            HandOver handOver = new HandOver(vertx.getOrCreateContext(), Limits.STANDARD, System::nanoTime, pushes -> {
                offered.addAll(seqs(pushes));
                if (offered.size() == 1) {
                    requireNonNull(itself.get()).take(List.of(push(2, 100)));
                    throw new IllegalStateException("made up");
                }
            });
            itself.set(handOver);

            handOver.take(List.of(push(1, 100)));

            eventually(() -> assertThat(offered).containsExactly(1L, 2L));
            eventually(() -> assertThat(handOver.isEmpty()).isTrue());
        } finally {
            vertx.close().await();
        }
    }

    private static List<Long> seqs(List<PushRecord> pushes) {
        return pushes.stream().map(PushRecord::seq).toList();
    }

    /** Two that are committed one after the other; how many offers there were when their turn had come. */
    private static int offersAfter(
            Context context, HandOver handOver, List<List<Long>> offered, long first, long second) {
        return Future.<Integer>future(turn -> context.runOnContext(v -> {
                    handOver.take(List.of(push(first, 100)));
                    handOver.take(List.of(push(second, 100)));
                    context.runOnContext(w -> turn.complete(offered.size()));
                }))
                .await();
    }

    private static PushRecord push(long seq, int bytes) {
        Envelope envelope = new Envelope("", "client.created", "e1", null, null);
        return new PushRecord(
                seq, "default", envelope, seq, new RequestHead("", "application/json", "", ""), new byte[bytes]);
    }
}
