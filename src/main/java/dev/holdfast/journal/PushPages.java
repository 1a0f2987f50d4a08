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

    /** Pushes are read forward, so that the newest first come in windows that are turned round. */
    private static final int WINDOW = 64;

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

    /**
     * A push that was read.
     *
     * @param part null where it doesn't match
     */
    private record Looked<T>(Place place, @Nullable T part) {}

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
        private long bytes;

        Walk(PushFilter filter, Order order, long at, int max, Function<PushRecord, T> part) {
            this.filter = filter;
            this.newestFirst = order == Order.NEWEST;
            this.max = max;
            this.part = part;
            this.deadline = nanoTime.getAsLong() + budget.nanos();
            this.low = Math.max(Math.max(filter.from(), journal.firstSeq()), times.firstSince(filter.since()));
            this.high = Math.min(filter.to(), journal.lastSeq());
            if (at > 0 && newestFirst) {
                high = Math.min(high, at);
            } else if (at > 0) {
                low = Math.max(low, at);
            }
        }

        Page<T> page() {
            boolean further = false;
            while (low <= high && found.size() < max && !(further && isOver())) {
                step();
                further = true;
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
            if (times.mayHoldBefore(segment, filter.until())) {
                look(
                        newestFirst ? Math.max(low, high - WINDOW + 1) : low,
                        newestFirst ? high : Math.min(high, low + WINDOW - 1));
            } else {
                passed(Math.min(high, segment.first()), segment.last());
            }
        }

        private void look(long from, long to) {
            List<Looked<T>> window = read(from, to);
            if (newestFirst) {
                Collections.reverse(window);
            }
            for (Looked<T> push : window) {
                last = push.place();
                looked++;
                T match = push.part();
                if (match != null) {
                    found.add(match);
                }
                if (found.size() == max) {
                    passed(last.seq(), last.seq());
                    return;
                }
            }
            passed(from, to);
        }

        private List<Looked<T>> read(long from, long to) {
            List<Looked<T>> window = new ArrayList<>();
            journal.forEach(from, to, push -> {
                Place place = new Place(push.seq(), push.receivedAt());
                window.add(new Looked<>(place, filter.matches(push) ? part.apply(push) : null));
                bytes += push.body().length;
            });
            return window;
        }

        private void passed(long from, long to) {
            if (newestFirst) {
                high = from - 1;
            } else {
                low = to + 1;
            }
        }
    }
}
