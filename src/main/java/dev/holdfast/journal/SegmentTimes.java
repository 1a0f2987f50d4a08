package dev.holdfast.journal;

import dev.holdfast.push.PushRecord;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * When the pushes of a journal's segments came, so that a search by time passes over most of them. The time when a push was
 * accepted grows from push to push, while no clock is put back; the one when it was received does too, but for those that came out of
 * the quarantine late. Every method may block; any thread.
 */
final class SegmentTimes {
    /** By so much a clock may have been put back. */
    private static final long SLACK_MILLIS = TimeUnit.MINUTES.toMillis(5);

    /**
     * A segment, as far as it is kept.
     *
     * @param last its last position, or that of the journal where it is being written to
     */
    record KeptSegment(long first, long last, boolean growing) {}

    private final Journal journal;
    /** When the first and the last push of a segment were accepted, by their positions. */
    private final Map<Long, Long> accepted = new ConcurrentHashMap<>();
    /** When the push of a segment was received that was received first, as far as somebody has looked through all of it. */
    private final Map<Long, Long> earliest = new ConcurrentHashMap<>();

    SegmentTimes(Journal journal) {
        this.journal = journal;
    }

    /** No push before this position was received then or later; 0: nothing is known. */
    long firstSince(long since) {
        if (since <= SLACK_MILLIS) {
            return 0;
        }
        // Not by halves: behind the first that begins later may lie some of a clock that was put back, as of a machine
        // that starts at the epoch.
        long first = 0;
        for (Journal.Extent extent : journal.extents()) {
            if (accepted(extent.firstSeq()) >= since - SLACK_MILLIS) {
                break;
            }
            first = extent.firstSeq();
        }
        return first;
    }

    /**
     * Up to where whole segments may go so that no push goes that was accepted then or later: where one begins, or, where that
     * is the one that is written to and begins with an older push, behind its first one.
     *
     * @param now a push that was accepted later was so by a clock that was ahead: how old it is, those behind it tell
     */
    long wholeBefore(long time, long now) {
        List<Journal.Extent> extents = journal.extents();
        long below = journal.firstSeq();
        for (int i = 0; i < extents.size(); i++) {
            boolean growing = i + 1 == extents.size();
            long next = growing ? journal.lastSeq() + 1 : extents.get(i + 1).firstSeq();
            long first = accepted(extents.get(i).firstSeq());
            long last = growing ? newest() : accepted(next - 1);
            if (isBetween(time, first, now) || isBetween(time, last, now)) {
                return growing && first < time ? extents.get(i).firstSeq() + 1 : below;
            }
            below = last < time ? next : below;
        }
        return below;
    }

    private static boolean isBetween(long from, long time, long to) {
        return time >= from && time <= to;
    }

    private long newest() {
        List<PushRecord> newest = journal.read(journal.lastSeq(), 1, 1);
        return newest.isEmpty() ? Long.MIN_VALUE : newest.get(0).acceptedAt();
    }

    /** The one that a position lies in, or the oldest one. */
    KeptSegment segment(long seq) {
        List<Journal.Extent> extents = journal.extents();
        int at = 0;
        while (at + 1 < extents.size() && extents.get(at + 1).firstSeq() <= seq) {
            at++;
        }
        boolean growing = at + 1 >= extents.size();
        long last = growing ? journal.lastSeq() : extents.get(at + 1).firstSeq() - 1;
        return new KeptSegment(extents.isEmpty() ? seq : extents.get(at).firstSeq(), Math.max(seq, last), growing);
    }

    /**
     * Whether a push of a segment may have been received before a time: of one that begins after it only those that came late, for
     * which it is looked through once, unless it is being written to.
     */
    boolean mayHoldBefore(KeptSegment segment, long until) {
        return segment.growing()
                || until >= Long.MAX_VALUE - SLACK_MILLIS
                || accepted(segment.first()) < until + SLACK_MILLIS
                || earliest(segment) < until;
    }

    private long earliest(KeptSegment segment) {
        Long known = earliest.get(segment.first());
        if (known != null) {
            return known;
        }
        LongSummaryStatistics received = new LongSummaryStatistics();
        journal.forEach(segment.first(), segment.last(), push -> received.accept(push.receivedAt()));
        earliest.put(segment.first(), received.getMin());
        return received.getMin();
    }

    private long accepted(long first) {
        Long known = accepted.get(first);
        if (known != null) {
            return known;
        }
        long oldest = journal.firstSeq();
        accepted.keySet().removeIf(seq -> seq < oldest);
        earliest.keySet().removeIf(seq -> seq < oldest);
        List<PushRecord> pushes = journal.read(first, 1, 1);
        if (pushes.isEmpty()) {
            return Long.MAX_VALUE;
        }
        accepted.put(first, pushes.get(0).acceptedAt());
        return pushes.get(0).acceptedAt();
    }
}
