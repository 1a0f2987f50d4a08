package dev.holdfast.journal;

import dev.holdfast.push.PushRecord;
import dev.holdfast.store.Audit;
import dev.holdfast.store.BlockedPushes;
import dev.holdfast.store.BrokenStore;
import dev.holdfast.store.ConsumerMarks;
import dev.holdfast.store.DeadLetters;
import dev.holdfast.store.Digests;
import dev.holdfast.store.Ledger;
import dev.holdfast.store.Replays;
import dev.holdfast.store.RocksStore;
import dev.holdfast.store.StoreException;
import io.micrometer.core.instrument.MeterRegistry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
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
    private int writesLeft = Integer.MAX_VALUE;
    private volatile @Nullable Hurry hurry;

    private final AtomicBoolean denied = new AtomicBoolean();
    private final AtomicInteger reads = new AtomicInteger();
    private final AtomicInteger deniedReads = new AtomicInteger();
    private volatile boolean unreadable;

    private final AtomicBoolean storeFails;
    private final AtomicBoolean syncFails;

    private TrialJournal(
            Journal journal, dev.holdfast.store.Store store, AtomicBoolean storeFails, AtomicBoolean syncFails) {
        this.journal = journal;
        this.store = store;
        this.storeFails = storeFails;
        this.syncFails = syncFails;
    }

    public static TrialJournal open(Path directory, MeterRegistry registry) {
        AtomicBoolean storeFails = new AtomicBoolean();
        AtomicBoolean syncFails = new AtomicBoolean();
        RocksStore store = BrokenStore.open(directory, registry, storeFails::get, syncFails::get);
        return new TrialJournal(LogJournal.open(directory, MAX_SIZE, store, registry), store, storeFails, syncFails);
    }

    /** From now on, or no longer, the store can keep nothing. */
    public void breakStore(boolean fails) {
        storeFails.set(fails);
    }

    /** From now on, or no longer, what the store writes is there when it is opened again, though it fails. */
    public void breakSyncs(boolean fail) {
        syncFails.set(fail);
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

    /** What becomes of a call. */
    private interface Handling {
        @Nullable
        Object of(Callable<@Nullable Object> call) throws Exception;
    }

    /**
     * A part of the store to which calls are handed on, its writes unless dead.
     *
     * @param handled by their names, those that are not
     */
    private <T> T part(Class<T> type, T kept, Map<String, Handling> handled) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    Callable<@Nullable Object> call = () -> {
                        try {
                            return method.invoke(kept, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause() instanceof RuntimeException cause ? cause : e;
                        }
                    };
                    Handling handling = handled.get(method.getName());
                    if (handling != null) {
                        return handling.of(call);
                    }
                    return method.getReturnType() == CompletionStage.class ? unlessDead(write(call)) : call.call();
                }));
    }

    @SuppressWarnings("unchecked")
    private static Supplier<CompletionStage<Void>> write(Callable<@Nullable Object> call) {
        return () -> {
            try {
                return (CompletionStage<Void>) Objects.requireNonNull(call.call());
            } catch (Exception e) {
                return CompletableFuture.failedStage(e);
            }
        };
    }

    @Override
    public dev.holdfast.store.Positions positions() {
        return part(
                dev.holdfast.store.Positions.class,
                store.positions(),
                Map.of("save", call -> through(cursors, write(call))));
    }

    @Override
    public BlockedPushes blockedPushes() {
        return store.blockedPushes();
    }

    @Override
    public ConsumerMarks consumerMarks() {
        return part(ConsumerMarks.class, store.consumerMarks(), Map.of());
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
    public String closedBecause() {
        return store.closedBecause();
    }

    @Override
    public String notice() {
        return store.notice();
    }

    @Override
    public DeadLetters deadLetters() {
        return part(
                DeadLetters.class,
                store.deadLetters(),
                Map.of(
                        "save", call -> saveLetter(write(call)),
                        "replace", call -> through(letters, write(call)),
                        "remove", call -> unlessDead(write(call))));
    }

    private CompletionStage<Void> saveLetter(Supplier<CompletionStage<Void>> write) {
        CompletionStage<Void> saved = through(letters, write);
        if (denied.getAndSet(false)) {
            return saved.thenCompose(done -> denial());
        }
        Hurry hasty = hurry;
        return hasty == null ? saved : hasty.done();
    }

    private static CompletionStage<Void> denial() {
        return CompletableFuture.failedStage(new StoreException("denied"));
    }

    @Override
    public Replays replays() {
        return part(Replays.class, store.replays(), Map.of());
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
