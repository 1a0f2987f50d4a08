package dev.holdfast.journal;

import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.rocksdb.RocksDBException;

/** A real journal whose synced writes can be made to fail and to work again. */
public final class BrokenJournal {
    private final Journal journal;
    private final AtomicInteger attempts = new AtomicInteger();
    private volatile boolean broken;
    private volatile boolean losesItsSync;
    private volatile CountDownLatch letGo = new CountDownLatch(0);

    private BrokenJournal(Path directory, MeterRegistry registry) {
        journal = RocksJournal.open(directory, registry, this::write);
    }

    public static BrokenJournal open(Path directory, MeterRegistry registry) {
        return new BrokenJournal(directory, registry);
    }

    public Journal journal() {
        return journal;
    }

    /** From now on nothing is written, and each write fails. */
    public void breakWrites() {
        broken = true;
    }

    /** From now on the data is written, yet its sync is said to have failed. */
    public void breakSyncs() {
        losesItsSync = true;
    }

    /** From now on a write does not return until {@link #mend}. */
    public void hangWrites() {
        letGo = new CountDownLatch(1);
    }

    public void mend() {
        letGo.countDown();
        broken = false;
        losesItsSync = false;
    }

    /** Synced writes tried so far. */
    public int attempts() {
        return attempts.get();
    }

    private void write(Store store) throws RocksDBException {
        attempts.incrementAndGet();
        try {
            letGo.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        if (broken) {
            throw new RocksDBException("IO error: While fdatasync: Input/output error");
        }
        store.commit();
        if (losesItsSync) {
            throw new RocksDBException("IO error: While fdatasync: Input/output error");
        }
    }
}
