package dev.holdfast.store;

import dev.holdfast.disk.GroupWriter;
import dev.holdfast.store.StoreAccess.PendingChange;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * Opens, writes and closes the store's database, on the thread of a {@link GroupWriter}: one write with one sync for a group. The
 * first failure ends the handle, and a fresh one is opened, again and again until the disk is back.
 *
 * <p>What is damaged at the first opening, or can't be read for a moment, is set aside and made anew. Later nobody may have the
 * ground pulled away under what he keeps in memory: a store that turns out damaged in use refuses everything until the next start,
 * which sets it aside.
 */
final class StoreWriter implements GroupWriter.Target<PendingChange> {
    /**
     * So long what can't be read is tried again at the first opening. Short: no push is received meanwhile. A cable that is put
     * back has the time, and the system has tried a bad block again and again before it says so.
     */
    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(3);

    private static final int TRIES = 6;

    /** The synced write of a group: the one point through which everything durable goes. */
    interface SyncedWrite {
        void write(Database database, WriteBatch batch) throws RocksDBException;
    }

    private final StoreDirectory directory;
    private final StoreAccess access;
    private final StoreMeters meters;
    private final StoreLog log;
    private final SyncedWrite commit;
    private final LastWrite lastWrite;
    private List<CachedState> cached = List.of();
    private long writes;
    private boolean damaged;

    StoreWriter(
            StoreDirectory directory, StoreAccess access, StoreMeters meters, LedgerCounts ledger, SyncedWrite commit) {
        this.directory = directory;
        this.access = access;
        this.meters = meters;
        this.log = new StoreLog(directory.path(), access, meters, ledger);
        this.commit = commit;
        this.lastWrite = new LastWrite(directory.path());
    }

    /**
     * Before the thread starts, by the thread that makes it. A disk that doesn't let it be opened is tried again later.
     *
     * @param states what is kept in memory of it
     * @throws StoreException when it must not be opened: it is of a newer version, or in use
     */
    void openFirst(List<CachedState> states) {
        cached = List.copyOf(states);
        try {
            openPatiently();
        } catch (RefusedStoreException e) {
            throw e;
        } catch (StoreException e) {
            // It is tried again by the thread, and whoever needs it meanwhile says why that can't be.
            closed(e);
        }
    }

    /** What can't be read for so long counts as damaged: nobody could be received from before it is open. */
    private void openPatiently() {
        long start = System.nanoTime();
        while (!access.isOpen()) {
            try {
                open();
            } catch (UnreadableStoreException e) {
                if (System.nanoTime() - start >= TIMEOUT_NANOS) {
                    renew(new DamagedStoreException(String.valueOf(e.getMessage()), e));
                } else {
                    log.unreadable(e);
                    pause();
                }
            }
        }
    }

    private static void pause() {
        try {
            TimeUnit.NANOSECONDS.sleep(TIMEOUT_NANOS / TRIES);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException("interrupted while the store could not be read", e);
        }
    }

    private void open() {
        try {
            take(directory.open());
        } catch (DamagedStoreException e) {
            if (!access.isLoaded()) {
                renew(e);
            } else if (directory.isInPlace()) {
                damaged(e);
            } else {
                throw new StoreException(String.valueOf(e.getMessage()), e);
            }
        }
    }

    private void renew(DamagedStoreException damage) {
        Path aside = directory.setAside();
        log.setAside(aside, damage);
        try {
            take(directory.open());
        } catch (DamagedStoreException e) {
            throw new StoreException("can't make a store in " + directory.path() + ": " + e.getMessage(), e);
        }
    }

    private void take(Database opened) throws DamagedStoreException {
        try {
            load(opened);
            compare();
        } catch (DamagedStoreException | RuntimeException | Error e) {
            // An Error as well, or its lock would keep every later handle out.
            close(opened);
            throw e;
        }
        access.opened(opened);
    }

    private void load(Database opened) throws DamagedStoreException {
        try {
            for (CachedState state : cached) {
                state.load(opened);
            }
            byte[] written = opened.get(ColumnFamily.STATE, StateKey.WRITES);
            writes = written == null ? 0 : StateKey.number(written, 0);
        } catch (RocksDBException | RuntimeException e) {
            if (e instanceof RocksDBException failure && !StoreDirectory.isDamage(failure)) {
                throw StoreDirectory.failure("can't read the store", failure);
            }
            throw new DamagedStoreException("it can't be read: " + e.getMessage(), e);
        }
    }

    /**
     * What is undone was undone as a whole, from a moment on: nothing in the store contradicts the rest. What its users have in
     * memory does, once they have been told that it was durable.
     */
    private void compare() throws DamagedStoreException {
        long durable = lastWrite.read();
        if (durable > writes && access.isLoaded()) {
            throw new DamagedStoreException("found " + writes + " writes in it (expected: " + durable + ")");
        }
        if (durable > writes) {
            log.undone(durable - writes);
        }
        lastWrite.write(writes);
    }

    /** A damaged one stays closed: whatever comes is refused. */
    @Override
    public boolean isAway() {
        return !access.isOpen() && !damaged;
    }

    @Override
    public void write(List<PendingChange> changes) {
        Database open = access.database();
        if (open == null) {
            refuse(changes);
        } else {
            write(open, changes);
        }
    }

    private void write(Database open, List<PendingChange> changes) {
        try (Group group = new Group(open)) {
            for (PendingChange pending : changes) {
                pending.change().addTo(group);
            }
            group.put(ColumnFamily.STATE, StateKey.WRITES, StateKey.numbers(writes + 1));
            long start = System.nanoTime();
            commit.write(open, group.batch());
            meters.sync.record(System.nanoTime() - start, TimeUnit.NANOSECONDS);
            writes++;
            log.written();
            lastWrite.write(writes);
            group.durable();
        } catch (RocksDBException | RuntimeException | Error e) {
            // An Error as well, and also when all is durable but not everybody has taken it in: whoever waits must hear
            // of it, and what is there is loaded anew.
            poison(open, changes, e);
            return;
        }
        changes.forEach(pending -> GroupWriter.notify(() -> pending.done().complete(null)));
    }

    private void poison(Database open, List<PendingChange> changes, Throwable cause) {
        access.closed("it can't be written: " + cause.getMessage());
        try {
            meters.failures.increment();
            if (cause instanceof RocksDBException failure && access.isDamage(failure) && directory.isInPlace()) {
                damaged(failure);
            } else {
                log.failed(cause);
            }
        } finally {
            // Whatever goes wrong with saying so: whoever waits must hear of it.
            fail(changes, new StoreException("the store can't keep it: " + cause.getMessage(), cause));
            // Or its lock would keep every later handle out.
            close(open);
        }
    }

    private void damaged(Exception damage) {
        damaged = true;
        log.stopped(damage);
        directory.markDamaged();
    }

    @Override
    public void reopen() {
        open();
    }

    @Override
    public void cannotOpen(Throwable cause, long nextTryMillis) {
        closed(cause);
        log.cannotOpen(cause, nextTryMillis);
    }

    private void closed(Throwable cause) {
        access.closed("it can't be opened: " + cause.getMessage());
        meters.failures.increment();
    }

    @Override
    public void refuse(List<PendingChange> changes) {
        fail(changes, access.notOpen());
    }

    @Override
    public void close() {
        Database open = access.database();
        access.closed("it is closed");
        if (open != null) {
            close(open);
        }
    }

    private void close(Database open) {
        lastWrite.close();
        open.close();
    }

    private static void fail(List<PendingChange> changes, StoreException cause) {
        changes.forEach(pending -> GroupWriter.notify(() -> pending.done().completeExceptionally(cause)));
    }
}
