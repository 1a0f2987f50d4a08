package dev.holdfast.journal;

import dev.holdfast.push.PushRecord;
import dev.holdfast.store.Audit;
import dev.holdfast.store.BlockedPushes;
import dev.holdfast.store.BrokenStore;
import dev.holdfast.store.Checkpoint;
import dev.holdfast.store.ConsumerMarks;
import dev.holdfast.store.DeadLetter;
import dev.holdfast.store.DeadLetters;
import dev.holdfast.store.Digests;
import dev.holdfast.store.Discard;
import dev.holdfast.store.Ledger;
import dev.holdfast.store.Replay;
import dev.holdfast.store.Replays;
import dev.holdfast.store.RocksStore;
import dev.holdfast.store.StoreException;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.SortedSet;
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
public final class TrialJournal implements Journal, dev.holdfast.store.Store {
    /** What waits while it is held. */
    private static final class Barrier {
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

    private static final long MAX_SIZE = 50L << 30;

    private final Journal journal;
    private final dev.holdfast.store.Store store;
    private final Barrier pushes = new Barrier();
    private final Barrier cursors = new Barrier();
    private final Barrier letters = new Barrier();
    private final Barrier counts = new Barrier();
    private int writesLeft = Integer.MAX_VALUE;
    private volatile @Nullable Hurry hurry;

    private final AtomicBoolean denied = new AtomicBoolean();
    private final AtomicInteger reads = new AtomicInteger();
    private final AtomicInteger deniedReads = new AtomicInteger();
    private volatile boolean unreadable;
    private final AtomicInteger counted = new AtomicInteger();

    private TrialJournal(Journal journal, dev.holdfast.store.Store store) {
        this.journal = journal;
        this.store = store;
    }

    public static TrialJournal open(Path directory, MeterRegistry registry) {
        RocksStore store = BrokenStore.open(directory, registry, () -> false);
        return new TrialJournal(LogJournal.open(directory, MAX_SIZE, store, registry), store);
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

    /** How many places wait to be saved. */
    public int waitingCursors() {
        return cursors.waiting();
    }

    /** From now on no dead letter is kept. */
    public void holdLetters() {
        letters.shut();
    }

    /** How many dead letters wait to be kept. */
    public int waitingLetters() {
        return letters.waiting();
    }

    /**
     * From now on a dead letter is said to be durable 0 to 20 microseconds after it was handed over, on another thread. It is
     * only some time later.
     */
    public void hurryLetters() {
        hurry = new Hurry();
    }

    /** From now on, or no longer, nothing can be read. */
    public void denyReads(boolean deny) {
        unreadable = deny;
    }

    public int deniedReads() {
        return deniedReads.get();
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

    private CompletionStage<Void> through(Barrier barrier, Supplier<CompletionStage<Void>> write) {
        CompletableFuture<Void> saved = new CompletableFuture<>();
        barrier.pass(() -> unlessDead(write).whenComplete((done, failure) -> {
            if (failure == null) {
                saved.complete(null);
            } else {
                saved.completeExceptionally(failure);
            }
        }));
        return saved;
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
        requireReadable();
        return journal.read(from, maxPushes, maxBytes);
    }

    @Override
    public Optional<PushRecord> get(long seq) {
        requireReadable();
        return journal.get(seq);
    }

    private void requireReadable() {
        if (unreadable) {
            deniedReads.incrementAndGet();
            throw new JournalException("planned: the disk can't be read");
        }
    }

    @Override
    public void note(byte[] state) {
        journal.note(state);
    }

    @Override
    public Optional<byte[]> lastNote() {
        return journal.lastNote();
    }

    @Override
    public List<String> damage() {
        return journal.damage();
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
    public dev.holdfast.store.Positions positions() {
        dev.holdfast.store.Positions kept = store.positions();
        return new dev.holdfast.store.Positions() {
            @Override
            public Map<String, Long> all() {
                return kept.all();
            }

            @Override
            public CompletionStage<Void> save(Checkpoint checkpoint, boolean urgent) {
                return through(cursors, () -> kept.save(checkpoint, urgent));
            }

            @Override
            public CompletionStage<Void> restore(List<Checkpoint> noted) {
                return unlessDead(() -> kept.restore(noted));
            }

            @Override
            public CompletionStage<Void> remove(String consumer) {
                return unlessDead(() -> kept.remove(consumer));
            }
        };
    }

    @Override
    public BlockedPushes blockedPushes() {
        return store.blockedPushes();
    }

    @Override
    public ConsumerMarks consumerMarks() {
        ConsumerMarks kept = store.consumerMarks();
        return new ConsumerMarks() {
            @Override
            public CompletionStage<Void> began(String consumer, long position) {
                return unlessDead(() -> kept.began(consumer, position));
            }

            @Override
            public Map<String, Long> starts() {
                return kept.starts();
            }

            @Override
            public CompletionStage<Void> pause(String consumer, long at) {
                return unlessDead(() -> kept.pause(consumer, at));
            }

            @Override
            public CompletionStage<Void> resume(String consumer) {
                return unlessDead(() -> kept.resume(consumer));
            }

            @Override
            public Map<String, Long> paused() {
                return kept.paused();
            }
        };
    }

    @Override
    public Ledger ledger() {
        return store.ledger();
    }

    @Override
    public Audit audit() {
        return store.audit();
    }

    @Override
    public Digests digests() {
        return store.digests();
    }

    @Override
    public String notice() {
        return store.notice();
    }

    @Override
    public DeadLetters deadLetters() {
        DeadLetters kept = store.deadLetters();
        return new DeadLetters() {
            @Override
            public CompletionStage<Void> save(DeadLetter letter) {
                CompletionStage<Void> saved = through(letters, () -> kept.save(letter));
                if (denied.getAndSet(false)) {
                    return saved.thenCompose(done -> CompletableFuture.failedStage(new StoreException("denied")));
                }
                Hurry hasty = hurry;
                return hasty == null ? saved : hasty.done();
            }

            @Override
            public CompletionStage<Void> replace(DeadLetter letter) {
                return through(letters, () -> kept.replace(letter));
            }

            @Override
            public CompletionStage<Void> remove(String consumer, long seq) {
                return unlessDead(() -> kept.remove(consumer, seq));
            }

            @Override
            public List<DeadLetter> list(String consumer, long seq, int max) {
                return kept.list(consumer, seq, max);
            }

            @Override
            public Optional<DeadLetter> get(String consumer, long seq) {
                return kept.get(consumer, seq);
            }

            @Override
            public List<DeadLetter> newest(String consumer, long seq, int max) {
                return kept.newest(consumer, seq, max);
            }

            @Override
            public List<Discard> discardsOf(long seq) {
                return kept.discardsOf(seq);
            }

            @Override
            public CompletionStage<Void> discard(String consumer, long seq, String reason) {
                return unlessDead(() -> kept.discard(consumer, seq, reason));
            }

            @Override
            public List<Discard> discards(@Nullable Discard last, int max) {
                return kept.discards(last, max);
            }

            @Override
            public SortedSet<String> consumers() {
                return kept.consumers();
            }

            @Override
            public long oldestAt(String consumer) {
                return kept.oldestAt(consumer);
            }

            @Override
            public long bytes(String consumer) {
                return kept.bytes(consumer);
            }

            @Override
            public void expire() {
                kept.expire();
            }

            @Override
            public long count(String consumer) {
                long count = kept.count(consumer);
                counts.hold();
                counted.incrementAndGet();
                return count;
            }
        };
    }

    @Override
    public Replays replays() {
        Replays kept = store.replays();
        return new Replays() {
            @Override
            public CompletionStage<Void> save(Replay replay) {
                return unlessDead(() -> kept.save(replay));
            }

            @Override
            public CompletionStage<Void> remove(String id) {
                return unlessDead(() -> kept.remove(id));
            }

            @Override
            public List<Replay> all() {
                return kept.all();
            }
        };
    }

    @Override
    public List<Extent> extents() {
        return journal.extents();
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
        store.close();
    }
}
