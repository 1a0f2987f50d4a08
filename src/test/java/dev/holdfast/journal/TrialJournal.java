package dev.holdfast.journal;

import dev.holdfast.push.PushRecord;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;

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

        synchronized int waiting() {
            return waiting.size();
        }
    }

    private final Journal journal;
    private final Gate pushes = new Gate();
    private final Gate cursors = new Gate();
    private final Gate letters = new Gate();
    private volatile CountDownLatch counts = new CountDownLatch(0);
    private int writesLeft = Integer.MAX_VALUE;

    private final java.util.concurrent.atomic.AtomicInteger reads = new java.util.concurrent.atomic.AtomicInteger();

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

    /** Keeps again what delivery tells, and what it told meanwhile. */
    public void keepAgain() {
        letters.open();
        cursors.open();
    }

    /** From now on dead letters are counted, and the counts told at {@link #tellCounts}. */
    public void holdCounts() {
        counts = new CountDownLatch(1);
    }

    public void tellCounts() {
        counts.countDown();
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
        return through(letters, () -> journal.saveDeadLetter(letter));
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
        try {
            counts.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
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
        journal.close();
    }
}
