package dev.holdfast.store;

import dev.holdfast.config.DeadLettersConfig;
import dev.holdfast.disk.GroupWriter;
import dev.holdfast.disk.WriteQueue;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The store in the directory {@code store} of a data directory, on RocksDB. One thread, {@code store}, writes; reading goes on
 * beside it. Made by {@link #open}.
 */
public final class RocksStore implements Store {
    private static final Logger LOG = LoggerFactory.getLogger(RocksStore.class);
    /** Changes that may wait for the writer; past it they fail, which tells of a disk that has stopped. */
    private static final int WAITING = 65_536;

    private static final long GROUP_BYTES = 8L << 20;
    private static final long LINGER_NANOS = 5_000_000;

    private final WriteQueue<StoreAccess.PendingChange> queue = new WriteQueue<>(WAITING, GROUP_BYTES, LINGER_NANOS);
    private final StoreAccess access;
    private final RocksPositions positions;
    private final RocksConsumerMarks marks;
    private final RocksDeadLetters deadLetters;
    private final RocksReplays replays;
    private final RocksLedger ledger;
    private final RocksAudit audit;
    private final RocksDigests digests;
    private final Thread thread;

    /** With other clocks and another way to write: the seam for tests. */
    RocksStore(
            Path data,
            MeterRegistry registry,
            DeadLettersConfig bounds,
            Clock clock,
            LongSupplier nanoTime,
            StoreWriter.SyncedWrite commit) {
        access = new StoreAccess(queue, nanoTime);
        StoreMeters meters = new StoreMeters(registry);
        StoreDirectory directory = new StoreDirectory(data.resolve("store"), ColumnFamily::layout);
        LedgerCounts counts = new LedgerCounts(clock, meters);
        StoreWriter writer = new StoreWriter(directory, access, meters, counts, commit);
        positions = new RocksPositions(access);
        marks = new RocksConsumerMarks(access);
        deadLetters = new RocksDeadLetters(access, meters, counts, bounds, clock);
        replays = new RocksReplays(access);
        ledger = new RocksLedger(access, counts, clock);
        audit = new RocksAudit(access);
        thread = new Thread(new GroupWriter<>("store", queue, writer), "store");
        digests = new RocksDigests(data, registry);
        try {
            // First: it refuses a directory that another process has before anything damaged in there is set aside.
            StoreException withoutDigests = digests.openFirst();
            writer.openFirst(List.of(positions, ledger, audit, marks, deadLetters));
            // A start that waits for room tries both again and again, and says so itself.
            if (withoutDigests != null && access.isOpen()) {
                LOG.error(
                        "the index of digests can't be opened, old duplicates are not found: {}",
                        withoutDigests.getMessage());
            }
        } catch (RuntimeException | Error e) {
            digests.close();
            throw e;
        }
        thread.start();
        meters.watch(access::isOpen, access::size);
    }

    /**
     * Opens the store of a data directory, which is made when it is not there. What is damaged is set aside, and made anew; a
     * disk that doesn't let it be opened at the moment is tried again and again: see {@link #writable}. Blocks.
     *
     * @throws StoreException when the store is in use by another process, or was written by a newer version
     */
    public static RocksStore open(Path data, MeterRegistry registry, DeadLettersConfig bounds) {
        return new RocksStore(data, registry, bounds, Clock.systemUTC(), System::nanoTime, Database::writeSynced);
    }

    @Override
    public Positions positions() {
        return positions;
    }

    @Override
    public BlockedPushes blockedPushes() {
        return positions;
    }

    @Override
    public ConsumerMarks consumerMarks() {
        return marks;
    }

    @Override
    public DeadLetters deadLetters() {
        return deadLetters;
    }

    @Override
    public Replays replays() {
        return replays;
    }

    @Override
    public Ledger ledger() {
        return ledger;
    }

    @Override
    public Audit audit() {
        return audit;
    }

    @Override
    public Digests digests() {
        return digests;
    }

    @Override
    public boolean writable() {
        return access.isOpen();
    }

    @Override
    public String closedBecause() {
        return access.closedBecause();
    }

    @Override
    public String notice() {
        return access.notice();
    }

    @Override
    public void close() {
        queue.close();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException("interrupted while the store was being closed", e);
        }
        digests.close();
    }
}
