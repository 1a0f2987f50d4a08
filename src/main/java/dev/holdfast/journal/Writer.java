package dev.holdfast.journal;

import dev.holdfast.push.PushRecord;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that opens, writes and closes the store. Everything that waits becomes one write with one sync. The first
 * failure ends the handle: nothing is acknowledged from it any more, and a fresh one is opened, again and again until the
 * disk is back.
 */
final class Writer implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Writer.class);
    private static final long FIRST_DELAY_MILLIS = 200;
    private static final long MAX_DELAY_MILLIS = 5_000;
    /** A write that takes longer than this meets a disk that hangs. */
    private static final long HANGS_NANOS = 2_000_000_000;

    private final Path directory;
    private final Inbox inbox;
    private final Positions positions;
    private final PushReader reader;
    private final JournalMeters meters;
    private final Commit commit;
    private volatile @Nullable Store store;
    private volatile Journal.@Nullable Follower follower;
    /** When the write under way began, by {@link System#nanoTime}; 0 when none is. */
    private volatile long writingSince;
    /** Why the last write failed that did; of the journal's thread. */
    private String complaint = "";

    Writer(Path directory, Inbox inbox, Positions positions, PushReader reader, JournalMeters meters, Commit commit) {
        this.directory = directory;
        this.inbox = inbox;
        this.positions = positions;
        this.reader = reader;
        this.meters = meters;
        this.commit = commit;
    }

    /** Before the thread starts, by the thread that makes it. */
    void open() {
        OpeningWatch watch = OpeningWatch.over(directory);
        try {
            store = Recovery.open(directory, positions, reader);
        } finally {
            watch.close();
        }
    }

    /** The open handle; null between a failure and the next opening, and after the end. Any thread. */
    @Nullable
    Store store() {
        return store;
    }

    /** Whether the handle is open, and no write on it hangs. Any thread. */
    boolean writable() {
        long since = writingSince;
        return store != null && (since == 0 || System.nanoTime() - since < HANGS_NANOS);
    }

    void follow(Journal.Follower follower) {
        this.follower = follower;
    }

    @Override
    public void run() {
        try {
            boolean open = true;
            while (open) {
                open = serveWhateverHappens();
            }
        } catch (InterruptedException e) {
            LOG.error("the journal's thread was interrupted, which ends the journal", e);
        } finally {
            if (!inbox.isClosed()) {
                LOG.error("the journal's thread ends though nobody closes the journal: nothing is stored any more");
            }
            end();
        }
    }

    /** Without this thread nothing is ever stored again: no surprise may end it. */
    private boolean serveWhateverHappens() throws InterruptedException {
        try {
            return serve();
        } catch (RuntimeException | Error e) {
            LOG.error("the journal's thread met something unexpected, and goes on", e);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(FIRST_DELAY_MILLIS));
            return true;
        }
    }

    /** One group; false when the inbox is closed and drained. */
    private boolean serve() throws InterruptedException {
        Store open = store;
        if (open == null) {
            reopen();
            return store != null || !inbox.isClosed();
        }
        List<Operation> operations = inbox.take();
        if (operations.isEmpty()) {
            return false;
        }
        write(open, operations);
        return true;
    }

    private void write(Store open, List<Operation> operations) {
        Group group;
        long start = System.nanoTime();
        writingSince = start == 0 ? 1 : start;
        try {
            group = new Group(open, positions, reader);
            open.batch().clear();
            for (Operation operation : operations) {
                group.add(operation);
            }
            commit(open);
        } catch (RocksDBException | RuntimeException | Error e) {
            // An Error as well: whatever happened, these were not stored, and whoever waits must hear of it.
            poison(open, operations, e);
            return;
        } finally {
            writingSince = 0;
        }
        // Counted before anyone hears of it: who has an answer finds it in the figures.
        if (!group.pushes().isEmpty()) {
            meters.batchSize.record(group.pushes().size());
        }
        group.tell();
        publish(group.pushes());
    }

    private void commit(Store open) throws RocksDBException {
        if (open.batch().isEmpty()) {
            return;
        }
        long start = System.nanoTime();
        commit.write(open);
        meters.sync.record(System.nanoTime() - start, TimeUnit.NANOSECONDS);
    }

    private void publish(List<PushRecord> pushes) {
        Journal.Follower listening = follower;
        if (listening != null && !pushes.isEmpty()) {
            told(() -> listening.committed(pushes));
        }
    }

    private void poison(Store open, List<Operation> operations, Throwable cause) {
        store = null;
        try {
            meters.failures.increment();
            fail(operations, new JournalException("the journal can't store: " + cause.getMessage(), cause));
            complain(String.valueOf(cause.getMessage()), cause);
        } finally {
            // Or its lock would keep every later handle out.
            open.close();
        }
    }

    /** On a full disk this comes several times a second: where it came from is told once. */
    private void complain(String message, Throwable cause) {
        String line = "the journal can't store: {}; it is closed and opened again";
        if (message.equals(complaint)) {
            LOG.error(line, message);
        } else {
            LOG.error(line, message, cause);
        }
        complaint = message;
    }

    /** Tries until it works or the journal is closed; whatever comes in meanwhile fails. */
    private void reopen() throws InterruptedException {
        long delay = FIRST_DELAY_MILLIS;
        while (store == null && !inbox.isClosed()) {
            failWhile(delay);
            delay = Math.min(2 * delay, MAX_DELAY_MILLIS);
            if (inbox.isClosed()) {
                return;
            }
            try {
                open();
                LOG.info("the journal is open again, at push {}", positions.last());
            } catch (RuntimeException | Error e) {
                meters.failures.increment();
                LOG.error("the journal can't be opened again: {}; next try in {} ms", e.toString(), delay);
            }
        }
    }

    private void failWhile(long millis) throws InterruptedException {
        long deadline = System.nanoTime() + millis * 1_000_000;
        while (deadline - System.nanoTime() > 0 && !inbox.isClosed()) {
            fail(inbox.takeWithin((deadline - System.nanoTime()) / 1_000_000 + 1), notOpen());
        }
    }

    private void end() {
        inbox.close();
        for (List<Operation> rest = inbox.drain(); !rest.isEmpty(); rest = inbox.drain()) {
            fail(rest, notOpen());
        }
        Store open = store;
        store = null;
        if (open != null) {
            open.close();
        }
    }

    static JournalException notOpen() {
        return new JournalException("the journal is not open");
    }

    private static void fail(List<Operation> operations, JournalException cause) {
        for (Operation operation : operations) {
            told(() -> operation.fail(cause));
        }
    }

    /** Tells one who waits; what goes wrong there must not reach the journal. */
    static void told(Runnable answer) {
        try {
            answer.run();
        } catch (RuntimeException | Error e) {
            LOG.error("whoever waited for the journal failed to take its answer", e);
        }
    }
}
