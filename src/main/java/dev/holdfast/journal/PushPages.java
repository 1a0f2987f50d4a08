package dev.holdfast.journal;

import dev.holdfast.push.PushFilter;
import dev.holdfast.push.PushRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds pushes of a journal a page at a time, the newest or the oldest first. A page takes about a second at the longest, however
 * large the journal is and however few match: then it says how far it has looked. Every method blocks; any thread that may.
 */
public final class PushPages {
    /** How much one page may take. Within it a page always gets further by a push at least. */
    record Budget(long nanos, long bytes) {
        static final Budget STANDARD = new Budget(TimeUnit.SECONDS.toNanos(1), 256L << 20);
    }

    /** Which come first. */
    public enum Order {
        NEWEST,
        OLDEST
    }

    /**
     * A push that was looked at.
     *
     * @param receivedAt milliseconds since the epoch
     */
    public record Place(long seq, long receivedAt) {}

    /**
     * What was found.
     *
     * @param looked how many pushes were looked at
     * @param last the last of them; null: there was none
     * @param next the position to go on with; 0: there is nothing more
     */
    public record Page<T>(
            List<T> pushes, long looked, @Nullable Place last, long next) {}

    /** So much is read from the disk at once. */
    private static final int READ_PUSHES = 512;

    private static final long READ_BYTES = 2L << 20;
    /** Pushes are read forward, so that the newest first come in windows that are turned round. */
    private static final int LARGEST_WINDOW = 4096;

    private static final int FIRST_WINDOW = 64;
    private static final long USUAL_WINDOW_BYTES = 4L << 20;
    private static final long LARGEST_WINDOW_BYTES = 4 * USUAL_WINDOW_BYTES;

    private final Journal journal;
    private final SegmentTimes times;
    private final LongSupplier nanoTime;
    private final Budget budget;

    public PushPages(Journal journal) {
        this(journal, System::nanoTime, Budget.STANDARD);
    }

    /** With another clock and other bounds: the seam for tests. */
    PushPages(Journal journal, LongSupplier nanoTime, Budget budget) {
        this.journal = journal;
        this.times = new SegmentTimes(journal);
        this.nanoTime = nanoTime;
        this.budget = budget;
    }

    /**
     * Those that match, at most {@code max}.
     *
     * @param at the position to begin with, the page before's {@code next}; 0: the first in this order
     * @param part what is wanted of each: a page of whole pushes may be larger than the memory
     */
    public <T> Page<T> page(PushFilter filter, Order order, long at, int max, Function<PushRecord, T> part) {
        return new Walk<>(filter, order, at, max, part).page();
    }

    /** One that matches, and how many pushes of its window come before it. */
    private record Match<T>(Place place, int index, T part) {}

    /** What was read of a window, in the order of positions. */
    private record Window<T>(
            List<Match<T>> matches,
            int count,
            @Nullable Place first,
            @Nullable Place last,
            long bytes,
            long earliest) {}

    /** The making of one page. */
    private final class Walk<T> {
        private final PushFilter filter;
        private final boolean newestFirst;
        private final int max;
        private final Function<PushRecord, T> part;
        private final long deadline;
        private final List<T> found = new ArrayList<>();
        /** What is left to be looked at. */
        private long low;

        private long high;
        private long looked;
        private @Nullable Place last;
        private int size;
        private long bytes;
        private boolean further;

        Walk(PushFilter filter, Order order, long at, int max, Function<PushRecord, T> part) {
            this.filter = filter;
            this.newestFirst = order == Order.NEWEST;
            this.max = max;
            this.part = part;
            this.deadline = nanoTime.getAsLong() + budget.nanos();
            this.size = Math.min(max, FIRST_WINDOW);
            this.low = Math.max(Math.max(filter.from(), journal.firstSeq()), times.firstSince(filter.since()));
            this.high = Math.min(filter.to(), journal.lastSeq());
            if (at > 0 && newestFirst) {
                high = Math.min(high, at);
            } else if (at > 0) {
                low = Math.max(low, at);
            }
        }

        Page<T> page() {
            while (low <= high && found.size() < max && !(further && isOver())) {
                step();
                low = Math.max(low, journal.firstSeq());
            }
            long next = newestFirst ? high : low;
            return new Page<>(found, looked, last, low <= high ? next : 0);
        }

        private boolean isOver() {
            return nanoTime.getAsLong() - deadline >= 0 || bytes >= budget.bytes();
        }

        private void step() {
            SegmentTimes.KeptSegment segment = times.segment(newestFirst ? high : low);
            if (times.isPast(segment, filter.until())) {
                skipOrLookThrough(segment);
            } else {
                window(
                        newestFirst ? Math.max(low, high - size + 1) : low,
                        newestFirst ? high : Math.min(high, low + size - 1));
            }
        }

        /** Beyond the time that is asked for there are only some that came late, if any. */
        private void skipOrLookThrough(SegmentTimes.KeptSegment segment) {
            long to = Math.min(high, segment.last());
            long from = Math.min(to, Math.max(low, segment.first()));
            if (times.earliest(segment) < filter.until()) {
                Window<T> read = read(from, to, Long.MAX_VALUE);
                bytes += read.bytes();
                if (from == segment.first() && to == segment.last()) {
                    times.earliest(segment, read.earliest());
                }
                take(read, from, to);
            } else {
                passed(from, to);
            }
        }

        private void window(long from, long to) {
            boolean one = from == to;
            Window<T> read = read(from, to, one ? Long.MAX_VALUE : LARGEST_WINDOW_BYTES);
            bytes += read.bytes();
            if (!one && read.bytes() >= LARGEST_WINDOW_BYTES) {
                // Turned round only when whole: what was read of it is read again.
                size = Math.max(1, size / 16);
                return;
            }
            size = read.bytes() < USUAL_WINDOW_BYTES ? Math.min(LARGEST_WINDOW, 2 * size) : Math.max(1, size / 2);
            take(read, from, to);
        }

        /** Looks at what lies in a window, until it has become too large. */
        private Window<T> read(long from, long to, long mostBytes) {
            List<Match<T>> matches = new ArrayList<>();
            Place first = null;
            Place latest = null;
            int count = 0;
            long size = 0;
            long earliest = Long.MAX_VALUE;
            long next = from;
            while (next <= to && size < mostBytes) {
                List<PushRecord> pushes = journal.read(next, (int) Math.min(READ_PUSHES, to - next + 1), READ_BYTES);
                for (PushRecord push : pushes) {
                    if (push.seq() > to) {
                        break;
                    }
                    latest = new Place(push.seq(), push.receivedAt());
                    first = first == null ? latest : first;
                    earliest = Math.min(earliest, push.receivedAt());
                    if (filter.matches(push)) {
                        matches.add(new Match<>(latest, count, part.apply(push)));
                    }
                    count++;
                    size += push.body().length;
                }
                next = pushes.isEmpty()
                        ? Long.MAX_VALUE
                        : pushes.get(pushes.size() - 1).seq() + 1;
            }
            return new Window<>(matches, count, first, latest, size, earliest);
        }

        private void take(Window<T> read, long from, long to) {
            List<Match<T>> matches = read.matches();
            if (newestFirst) {
                Collections.reverse(matches);
            }
            for (Match<T> match : matches) {
                found.add(match.part());
                if (found.size() == max) {
                    long seq = match.place().seq();
                    looked += newestFirst ? read.count() - match.index() : match.index() + 1;
                    last = match.place();
                    passed(newestFirst ? seq : from, newestFirst ? to : seq);
                    return;
                }
            }
            looked += read.count();
            Place farthest = newestFirst ? read.first() : read.last();
            last = farthest == null ? last : farthest;
            passed(from, to);
        }

        private void passed(long from, long to) {
            further = true;
            if (newestFirst) {
                high = from - 1;
            } else {
                low = to + 1;
            }
        }
    }
}
