package dev.holdfast.store;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ledger's lines of starts, and the mark that the next start finds: when the gateway last accepted pushes, and whether it
 * was stopped. Loaded and written by the writer thread, the rest by any.
 */
final class LedgerStarts {
    private static final Logger LOG = LoggerFactory.getLogger(LedgerStarts.class);
    /** How old the mark gets while nothing else is written. */
    private static final long BEAT_MILLIS = 5_000;

    private record Mark(long at, boolean clean) {}

    /** How far this process has come. */
    private record Life(long startedAt, boolean ranBefore, long closedAt, boolean stopped) {}

    private final Clock clock;
    private volatile @Nullable Life life;
    private volatile @Nullable Mark durable;
    /** All below of the writer thread. */
    private @Nullable Mark before;

    private boolean fresh;
    private long lastNumber;
    private @Nullable LedgerStart own;

    LedgerStarts(Clock clock) {
        this.clock = clock;
    }

    /** Once this process has its own line, it knows better than what a store says that was opened again. */
    void load(Database database) throws RocksDBException {
        if (own != null) {
            return;
        }
        byte[] mark = database.get(ColumnFamily.STATE, LedgerForm.MARK);
        before = mark == null ? null : new Mark(StateKey.number(mark, 0), StateKey.number(mark, 1) == 1);
        fresh = database.get(ColumnFamily.STATE, StateKey.WRITES) == null;
        lastNumber = newestFirst(database).first(Scan::number, 0L);
    }

    private static Scan newestFirst(Database database) {
        return database.scanBackwards(ColumnFamily.STATE, LedgerForm.START, LedgerForm.start(Long.MAX_VALUE));
    }

    void started(boolean ranBefore) {
        life = new Life(clock.millis(), ranBefore, 0, false);
    }

    void closed() {
        Life now = life;
        life = now == null ? null : new Life(now.startedAt(), now.ranBefore(), clock.millis(), false);
    }

    void stopped() {
        Life now = life;
        if (now != null) {
            long closedAt = now.closedAt() == 0 ? clock.millis() : now.closedAt();
            life = new Life(now.startedAt(), now.ranBefore(), closedAt, true);
        }
    }

    boolean isDue() {
        Life now = life;
        Mark last = durable;
        return now != null
                && (last == null || (now.closedAt() == 0 && Math.abs(clock.millis() - last.at()) >= BEAT_MILLIS));
    }

    void addTo(Group group) throws RocksDBException {
        Life now = life;
        if (now == null) {
            return;
        }
        if (own == null) {
            own = line(now);
            report(own);
        }
        if (durable == null) {
            group.put(ColumnFamily.STATE, LedgerForm.start(lastNumber + 1), LedgerForm.value(own));
            group.delete(ColumnFamily.STATE, LedgerForm.start(lastNumber + 1 - Ledger.MOST_STARTS));
        }
        Mark mark = new Mark(now.closedAt() == 0 ? clock.millis() : now.closedAt(), now.stopped());
        group.put(ColumnFamily.STATE, LedgerForm.MARK, StateKey.numbers(mark.at(), mark.clean() ? 1 : 0));
        group.whenDurable(() -> durable = mark);
    }

    private LedgerStart line(Life now) {
        Mark last = before;
        if (last == null) {
            boolean lost = fresh && now.ranBefore();
            LedgerStart.LastStop lastStop = lost ? LedgerStart.LastStop.LOST : LedgerStart.LastStop.NONE;
            return new LedgerStart(now.startedAt(), LedgerStart.UNKNOWN, lastStop);
        }
        // A clock that was put back meanwhile tells nothing.
        long down = now.startedAt() < last.at() ? LedgerStart.UNKNOWN : now.startedAt() - last.at();
        return new LedgerStart(
                now.startedAt(), down, last.clean() ? LedgerStart.LastStop.CLEAN : LedgerStart.LastStop.UNCLEAN);
    }

    private static void report(LedgerStart start) {
        String down = start.downMillis() == LedgerStart.UNKNOWN
                ? "an unknown time, as the clock was put back"
                : Duration.ofMillis(start.downMillis()).toSeconds() + " s"
                        + (start.lastStop() == LedgerStart.LastStop.UNCLEAN ? " at most" : "");
        switch (start.lastStop()) {
            case NONE -> LOG.info("the ledger begins");
            case CLEAN -> LOG.info("the gateway was down for {}, stopped in good order", down);
            case UNCLEAN -> LOG.warn("the gateway was down for {}, its last stop was not clean", down);
            case LOST -> LOG.warn("the ledger's history is lost with the store; it begins anew");
        }
    }

    /** Those from {@code from} to before {@code to}, in milliseconds, the newest first. Inside a reading. */
    static List<LedgerStart> list(Database database, long from, long to, int max) throws RocksDBException {
        return newestFirst(database).list(max, kept -> {
            try {
                LedgerStart start = LedgerForm.start(kept.value());
                return start.at() >= from && start.at() < to ? start : null;
            } catch (RuntimeException e) {
                // Whatever is wrong with the bytes: one must not hide the others.
                LOG.warn("a start in the ledger can't be read and is skipped: {}", e.getMessage());
                return null;
            }
        });
    }
}
