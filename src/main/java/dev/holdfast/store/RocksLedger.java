package dev.holdfast.store;

import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.rocksdb.RocksDBException;

/** See {@link Ledger}. A store that fails is written again with the next change: every write says its counts whole. */
final class RocksLedger implements Ledger, CachedState {
    /** Findings remembered, and such as wait for the store; past it one may be counted again, or not at all. */
    private static final int MOST_FOUND = 10_000;

    private record Finding(String cause, String what, long times) {
        String name() {
            return cause + " " + what;
        }
    }

    private final StoreAccess access;
    private final LedgerCounts counts;
    private final LedgerStarts starts;
    private final Queue<Finding> findings = new LinkedBlockingQueue<>(MOST_FOUND);
    private final AtomicBoolean underWay = new AtomicBoolean();
    /** All below of the writer thread. */
    private final Set<String> known = new HashSet<>();

    private final Set<String> unwritten = new HashSet<>();

    RocksLedger(StoreAccess access, LedgerCounts counts, Clock clock) {
        this.access = access;
        this.counts = counts;
        this.starts = new LedgerStarts(clock);
    }

    @Override
    public void load(Database database) throws RocksDBException {
        counts.load(database);
        starts.load(database);
        known.clear();
        known.addAll(unwritten);
        known.addAll(database.scan(ColumnFamily.STATE, LedgerForm.FOUND)
                .list(Integer.MAX_VALUE, finding -> StateKey.name(LedgerForm.FOUND, finding.key())));
    }

    @Override
    public void count(String cause, String endpoint) {
        counts.add(cause, endpoint, "", 1);
    }

    @Override
    public void found(String cause, String what, long times) {
        var unused = findings.offer(new Finding(cause, what, times));
    }

    @Override
    public void gaveUp(String cause, String consumer, String event, long times, long firstSeq, long lastSeq) {
        counts.add(cause, consumer, event, new LedgerForm.Total(times, firstSeq, lastSeq));
    }

    @Override
    public void started(boolean ranBefore) {
        starts.started(ranBefore);
        write();
    }

    @Override
    public void write() {
        boolean due = !findings.isEmpty() || starts.isDue() || !counts.isDurable();
        if (due && underWay.compareAndSet(false, true)) {
            var unused = access.submit(this::addTo).whenComplete((done, failure) -> underWay.set(false));
        }
    }

    @Override
    public void closed() {
        starts.closed();
    }

    @Override
    public void stopped() {
        starts.stopped();
        var unused = access.submit(this::addTo);
    }

    private void addTo(Group group) throws RocksDBException {
        for (Finding found = findings.poll(); found != null; found = findings.poll()) {
            if (!known.contains(found.name())) {
                remember(found.name());
                counts.add(found.cause(), "", "", found.times());
            }
        }
        for (String name : unwritten) {
            group.put(ColumnFamily.STATE, StateKey.of(LedgerForm.FOUND, name));
        }
        group.whenDurable(unwritten::clear);
        counts.addTo(group);
        starts.addTo(group);
    }

    private void remember(String finding) {
        if (known.size() < MOST_FOUND) {
            known.add(finding);
            unwritten.add(finding);
        }
    }

    @Override
    public List<LedgerCount> counts(LocalDate from, LocalDate to, int max) {
        int first = Math.toIntExact(from.toEpochDay());
        int end = Math.toIntExact(to.toEpochDay());
        return access.reading(database -> counts.list(database, first, end, max));
    }

    @Override
    public List<LedgerStart> starts(LocalDate from, LocalDate to, int max) {
        return access.reading(database -> LedgerStarts.list(database, millis(from), millis(to), max));
    }

    private static long millis(LocalDate day) {
        return day.atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli();
    }
}
