package dev.holdfast.journal;

import dev.holdfast.store.BrokenStore;
import dev.holdfast.store.RocksStore;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** A real journal and the store beside it, whose disk can be made to fail and to work again. */
public final class BrokenJournal {
    private final BrokenDisk disk = new BrokenDisk();
    private final RocksStore store;
    private final LogJournal journal;
    private final AtomicInteger failedWrites = new AtomicInteger();
    private volatile boolean broken;
    private volatile BooleanSupplier breaks = () -> false;

    private BrokenJournal(Path directory, MeterRegistry registry) {
        store = BrokenStore.open(directory, registry, this::writeFails);
        journal = LogUnderTest.open(
                LogDirectory.open(directory, disk), store.digests(), 0, registry, LogUnderTest.SEGMENT_BYTES);
    }

    public static BrokenJournal open(Path directory, MeterRegistry registry) {
        return new BrokenJournal(directory, registry);
    }

    private boolean writeFails() {
        boolean fails = broken || breaks.getAsBoolean();
        if (fails) {
            failedWrites.incrementAndGet();
        }
        return fails;
    }

    public Journal journal() {
        return journal;
    }

    /** To be closed after the journal. */
    public RocksStore store() {
        return store;
    }

    /** From now on nothing is written, and each write fails. */
    public void breakWrites() {
        broken = true;
        disk.breakWrites(0);
    }

    /** From now on the store keeps nothing; the journal is whole. */
    public void breakStore() {
        broken = true;
    }

    /** From now on the store keeps nothing while that is so. */
    public void breakStoreWhile(BooleanSupplier condition) {
        breaks = condition;
    }

    /** How many writes of the store have failed. */
    public int failedWrites() {
        return failedWrites.get();
    }

    /** From now on nothing of the journal can be read. */
    public void breakReads() {
        disk.breakReads(new BrokenDisk.BadBlocks(0, Long.MAX_VALUE), Long.MAX_VALUE);
    }

    /** How often somebody has tried to read it since. */
    public int badReads() {
        return disk.badReads();
    }

    /** From now on the data is written, yet its sync is said to have failed. */
    public void breakSyncs() {
        disk.breakSyncs();
    }

    public void mend() {
        broken = false;
        disk.mend();
    }
}
