package dev.holdfast.journal;

import dev.holdfast.store.Digests;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the push that another one may be a duplicate of, by its digest: the newest ones in memory, the rest in the store, which
 * is asked only when a filter lets it. What is in memory goes to the store in portions, behind the answers. All of it derives
 * from the log: what the store lacks, or can't keep at the moment, comes from there again. By the writer thread but where
 * something else is said.
 */
final class DuplicateIndex {
    private static final Logger LOG = LoggerFactory.getLogger(DuplicateIndex.class);
    /** So many digests go to the store together, and the rest of a group: lists of them need to grow to 1 << 16, and no further. */
    static final int PORTION = 60_000;
    /** Portions that are kept in memory while the store can't take them. */
    private static final int PORTIONS_KEPT = 16;

    private final LogDisk disk;
    private final SegmentList segments;
    private final Digests store;
    private final DigestFilters filters;
    private final Executor background;
    /** Portions that the store may not hold yet, oldest first; the one that is being filled is {@link #newest}. */
    private final ArrayDeque<RecentDigests> full = new ArrayDeque<>();

    private RecentDigests newest = new RecentDigests();
    /** The position from which on {@link #open} has taken in the log's digests. */
    private long openedFrom;

    private volatile boolean closed;

    /**
     * @param background one thread, in the order of what is handed to it
     */
    DuplicateIndex(LogDisk disk, SegmentList segments, Digests store, Executor background) {
        this.disk = disk;
        this.segments = segments;
        this.store = store;
        this.background = background;
        this.filters = new DigestFilters(store.upTo() + 1);
    }

    /** Takes in the newest pushes of the log, as far as the store lacks them. Before anything is appended. */
    void open() {
        long from = Math.max(store.upTo() + 1, segments.lastSeq() + 1 - (long) PORTIONS_KEPT * PORTION);
        for (Segment segment : segments.all().values()) {
            if (segment.lastSeq() >= from) {
                add(digests(segment, from, segment.lastSeq()));
            }
        }
        openedFrom = from;
    }

    /** Takes in whatever else the store, and then the filters, lack of the log, in the background. */
    void lookBack() {
        inBackground(() -> {
            var unused = catchUp(openedFrom - 1);
        });
        inBackground(this::cover);
    }

    /** Those of pushes that are durable. */
    void add(DigestList found) {
        for (int i = 0; i < found.count(); i++) {
            add(found.digests()[i], found.seqs()[i]);
            committed();
        }
    }

    /** The position of a push that may have this digest; 0 when none has. */
    long find(long digest) {
        long seq = newest.find(digest);
        for (Iterator<RecentDigests> portion = full.descendingIterator(); seq == 0 && portion.hasNext(); ) {
            seq = portion.next().find(digest);
        }
        return seq == 0 && filters.mayHold(digest, segments.firstSeq()) ? store.find(digest) : seq;
    }

    void add(long digest, long seq) {
        newest.add(digest, seq);
    }

    /** What was added for positions past {@code seq} was not stored. */
    void removeAbove(long seq) {
        newest.removeAbove(seq);
    }

    /** What was added is durable. */
    void committed() {
        if (newest.list().count() < PORTION) {
            return;
        }
        RecentDigests portion = newest;
        newest = free();
        full.add(portion);
        if (full.size() > PORTIONS_KEPT) {
            LOG.warn(
                    "the store of digests lags behind: duplicates of some pushes are not found before it has caught up");
            full.removeFirst();
        }
        inBackground(() -> store(portion));
    }

    /** An empty portion: one that the store has by now is used again, since a discarded one would be garbage of the old generation. */
    private RecentDigests free() {
        long stored = storedUpTo();
        RecentDigests free = null;
        while (!full.isEmpty() && full.getFirst().lastSeq() <= stored) {
            free = full.removeFirst();
        }
        if (free == null) {
            return new RecentDigests();
        }
        free.clear();
        return free;
    }

    private void inBackground(Runnable task) {
        try {
            background.execute(() -> {
                try {
                    task.run();
                } catch (RuntimeException e) {
                    LOG.warn("digests can't be kept at the moment: {}", e.toString());
                }
            });
        } catch (RejectedExecutionException closing) {
            LOG.debug("digests are made again at the next opening");
        }
    }

    /** Up to here the store has them, and so have the filters: it may have been opened after these were made. */
    private long storedUpTo() {
        return Math.min(store.upTo(), filters.addedTo());
    }

    /** In the background. */
    private void store(RecentDigests portion) {
        if (catchUp(portion.firstSeq() - 1)) {
            put(portion.list(), portion.lastSeq());
        }
    }

    /** Has the store hold everything up to {@code seq}, from the log; false when there is no time for it. In the background. */
    private boolean catchUp(long seq) {
        for (Segment segment : segments.all().values()) {
            long from = Math.max(storedUpTo() + 1, segment.firstSeq());
            long to = Math.min(seq, segment.lastSeq());
            if (from <= to) {
                if (closed) {
                    return false;
                }
                put(digests(segment, from, to), to);
            }
        }
        return true;
    }

    private void put(DigestList digests, long upTo) {
        filters.addNewer(digests, upTo);
        store.add(digests.digests(), digests.seqs(), digests.count(), upTo);
    }

    /** Has the filters cover what the store held at the opening, newest first. In the background. */
    private void cover() {
        long covered = filters.coveredFrom();
        Map.Entry<Long, Segment> older = segments.all().lowerEntry(covered);
        if (closed || older == null || !filters.takesOlder()) {
            return;
        }
        Segment segment = older.getValue();
        filters.addOlder(digests(segment, segment.firstSeq(), covered - 1), segment.firstSeq());
        // One segment at a time: what is full meanwhile goes first.
        inBackground(this::cover);
    }

    /** None of a segment that can't be read: those of the others are not to wait for it. */
    private DigestList digests(Segment segment, long from, long to) {
        try {
            return DigestList.of(disk, segment, from, to);
        } catch (IOException e) {
            if (segments.all().containsValue(segment)) {
                LOG.warn("duplicates of pushes in {} are not found: {}", segment, e.toString());
            }
            return new DigestList();
        }
    }

    /** Pushes below {@code seq} are gone. Any thread. */
    void removeBelow(long seq) {
        inBackground(() -> {
            filters.removeBelow(seq);
            store.removeBelow(seq);
        });
    }

    /** What is in memory goes to the store. After that nothing is added. */
    void close() {
        closed = true;
        RecentDigests last = newest;
        if (last.list().count() > 0) {
            inBackground(() -> store(last));
        }
    }
}
