package dev.holdfast.journal;

import dev.holdfast.push.PushRecord;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A real journal that can take its time, and that a process can die with: from then on nothing is kept any more of what
 * delivery tells it, whoever asks.
 */
public final class TrialJournal implements Journal {
    /** What waits while it is held. */
    private static final class Gate {
        private final List<Runnable> waiting = new ArrayList<>();
        private boolean shut;

        synchronized void shut() {
            shut = true;
        }

        synchronized void open() {
            shut = false;
            waiting.forEach(Runnable::run);
            waiting.clear();
        }

        synchronized void pass(Runnable action) {
            if (shut) {
                waiting.add(action);
            } else {
                action.run();
            }
        }

        /** Passes itself, however long that takes. */
        void hold() {
            CompletableFuture<Void> passed = new CompletableFuture<>();
            pass(() -> passed.complete(null));
            passed.join();
        }

        synchronized int waiting() {
            return waiting.size();
        }
    }

    /**
     * Says of what it is given that it is done, at once or up to 20 microseconds later, on a thread that never sleeps: half of
     * it early, for that is when code that has run often awaits it.
     */
    private static final class Hurry extends Thread {
        private static final int EARLY_NANOS = 501;
        private static final int LATEST_NANOS = 20_001;

        private final Queue<CompletableFuture<Void>> asked = new ConcurrentLinkedQueue<>();
        private final SplittableRandom random = new SplittableRandom();
        private volatile boolean over;

        Hurry() {
            super("hurry");
            setDaemon(true);
            start();
        }

        CompletionStage<Void> done() {
            CompletableFuture<Void> done = new CompletableFuture<>();
            asked.add(done);
            return done;
        }

        void end() {
            over = true;
        }

        @Override
        public void run() {
            while (!over) {
                CompletableFuture<Void> next = asked.poll();
                long due = System.nanoTime() + random.nextInt(random.nextBoolean() ? EARLY_NANOS : LATEST_NANOS);
                while (next != null && System.nanoTime() - due < 0) {
                    Thread.onSpinWait();
                }
                if (next != null) {
                    next.complete(null);
                }
            }
        }
    }

    private final Journal journal;
    private final Gate pushes = new Gate();
    private final Gate cursors = new Gate();
    private final Gate letters = new Gate();
    private final Gate counts = new Gate();
    private int writesLeft = Integer.MAX_VALUE;
    private volatile @Nullable Hurry hurry;

    private final AtomicBoolean denied = new AtomicBoolean();
    private final AtomicInteger reads = new AtomicInteger();
    private final AtomicInteger counted = new AtomicInteger();

    private TrialJournal(Journal journal) {
        this.journal = journal;
    }

    public static TrialJournal open(Path directory, MeterRegistry registry) {
        return new TrialJournal(RocksJournal.open(directory, registry));
    }

    /** How often pushes were read. */
    public int reads() {
        return reads.get();
    }

    /** From now on pushes wait before they are handed to the journal. */
    public void hold() {
        pushes.shut();
    }

    public void letGo() {
        pushes.open();
    }

    public int waiting() {
        return pushes.waiting();
    }

    /** From now on nobody's place is saved. */
    public void holdCursors() {
        cursors.shut();
    }

    /** From now on no dead letter is kept. */
    public void holdLetters() {
        letters.shut();
    }

    /**
     * From now on a dead letter is said to be durable 0 to 20 microseconds after it was handed over, on another thread. It is
     * only some time later.
     */
    public void hurryLetters() {
        hurry = new Hurry();
    }

    /** The next dead letter is said to have failed to be kept, though it is. */
    public void denyLetter() {
        denied.set(true);
    }

    /** From now on what is counted is told late. */
    public void holdCounts() {
        counts.shut();
    }

    public int waitingCounts() {
        return counts.waiting();
    }

    /** How often dead letters were counted. */
    public int counted() {
        return counted.get();
    }

    public void tellCounts() {
        counts.open();
    }

    /** Keeps again what delivery tells, and what it told meanwhile. */
    public void keepAgain() {
        letters.open();
        cursors.open();
    }

    public void die() {
        dieAfter(0);
    }

    /** Dies when so many more writes have been taken. */
    public synchronized void dieAfter(int writes) {
        writesLeft = writes;
    }

    public synchronized boolean isDead() {
        return writesLeft <= 0;
    }

    private CompletionStage<Void> unlessDead(Supplier<CompletionStage<Void>> write) {
        synchronized (this) {
            if (--writesLeft < 0) {
                return CompletableFuture.failedStage(new JournalException("the process is dead"));
            }
        }
        return write.get();
    }

    @Override
    public void append(PushRecord push, Outcome outcome) {
        pushes.pass(() -> journal.append(push, outcome));
    }

    @Override
    public CompletionStage<Void> saveCursor(String consumer, Progress progress, boolean urgent) {
        return through(cursors, () -> journal.saveCursor(consumer, progress, urgent));
    }

    private CompletionStage<Void> through(Gate gate, Supplier<CompletionStage<Void>> write) {
        CompletableFuture<Void> saved = new CompletableFuture<>();
        gate.pass(() -> unlessDead(write).whenComplete((done, failure) -> {
            if (failure == null) {
                saved.complete(null);
            } else {
                saved.completeExceptionally(failure);
            }
        }));
        return saved;
    }

    @Override
    public CompletionStage<Void> saveDeadLetter(DeadLetter letter) {
        CompletionStage<Void> saved = through(letters, () -> journal.saveDeadLetter(letter));
        if (denied.getAndSet(false)) {
            return saved.thenCompose(done -> CompletableFuture.failedStage(new JournalException("denied")));
        }
        Hurry hasty = hurry;
        return hasty == null ? saved : hasty.done();
    }

    @Override
    public CompletionStage<Void> removeDeadLetter(String consumer, long seq) {
        return unlessDead(() -> journal.removeDeadLetter(consumer, seq));
    }

    @Override
    public CompletionStage<Void> saveReplay(Replay replay) {
        return unlessDead(() -> journal.saveReplay(replay));
    }

    @Override
    public CompletionStage<Void> removeReplay(String id) {
        return unlessDead(() -> journal.removeReplay(id));
    }

    @Override
    public CompletionStage<Void> removeBelow(long seq) {
        return unlessDead(() -> journal.removeBelow(seq));
    }

    @Override
    public void follow(Follower follower) {
        journal.follow(follower);
    }

    @Override
    public List<PushRecord> read(long from, int maxPushes, long maxBytes) {
        reads.incrementAndGet();
        return journal.read(from, maxPushes, maxBytes);
    }

    @Override
    public Optional<PushRecord> get(long seq) {
        return journal.get(seq);
    }

    @Override
    public long firstSeq() {
        return journal.firstSeq();
    }

    @Override
    public long lastSeq() {
        return journal.lastSeq();
    }

    @Override
    public Map<String, Progress> cursors() {
        return journal.cursors();
    }

    @Override
    public List<DeadLetter> deadLetters(String consumer, long seq, int max) {
        return journal.deadLetters(consumer, seq, max);
    }

    @Override
    public long countDeadLetters(String consumer) {
        long count = journal.countDeadLetters(consumer);
        counts.hold();
        counted.incrementAndGet();
        return count;
    }

    @Override
    public List<Replay> replays() {
        return journal.replays();
    }

    @Override
    public long size() {
        return journal.size();
    }

    @Override
    public boolean writable() {
        return journal.writable();
    }

    @Override
    public void close() {
        letGo();
        Hurry hasty = hurry;
        if (hasty != null) {
            hasty.end();
        }
        journal.close();
    }
}
