package dev.holdfast.journal;

import dev.holdfast.store.Digests;
import dev.holdfast.store.StoreException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;

/** The index of digests in memory, which can be made to fail. */
final class MapDigests implements Digests {
    private final Map<Long, Long> seqs = new HashMap<>();
    private long upTo;
    private long removedBelow;
    private int lookUps;
    private boolean broken;
    private boolean opensLate;
    private long addedUpTo;
    private int refused;
    private volatile boolean starved;
    private final Semaphore removing = new Semaphore(1);

    @Override
    public synchronized long find(long digest) {
        lookUps++;
        return broken || opensLate ? 0 : seqs.getOrDefault(digest, 0L);
    }

    @Override
    public synchronized void add(long[] digests, long[] positions, int count, long upTo) {
        refused += broken ? 1 : 0;
        requireWhole();
        for (int i = 0; i < count; i++) {
            seqs.put(digests[i], positions[i]);
        }
        this.upTo = Math.max(upTo, this.upTo);
        opensLate = false;
        addedUpTo = upTo;
    }

    private void requireWhole() {
        if (broken) {
            throw new StoreException("broken for the test");
        }
    }

    @Override
    public synchronized long upTo() {
        if (starved) {
            throw new OutOfMemoryError("made up");
        }
        return opensLate ? 0 : upTo;
    }

    @Override
    public void removeBelow(long seq) {
        removing.acquireUninterruptibly();
        try {
            removeAllBelow(seq);
        } finally {
            removing.release();
        }
    }

    private synchronized void removeAllBelow(long seq) {
        removedBelow = seq;
        seqs.values().removeIf(kept -> kept < seq);
    }

    /** Nothing is removed until then. */
    Semaphore removing() {
        return removing;
    }

    synchronized void fail(boolean fails) {
        broken = fails;
    }

    /** From now on, or no longer, memory runs out for whoever asks how far it has come. */
    void starve(boolean starves) {
        starved = starves;
    }

    /** From now on it is not open, and so knows nothing, until something is added. */
    synchronized void openLate() {
        opensLate = true;
    }

    /** Up to where was added at last. */
    synchronized long addedUpTo() {
        return addedUpTo;
    }

    /** How often something was to be added while it failed. */
    synchronized int refused() {
        return refused;
    }

    synchronized int size() {
        return seqs.size();
    }

    synchronized int lookUps() {
        return lookUps;
    }

    synchronized long removedBelow() {
        return removedBelow;
    }
}
