package dev.holdfast.journal;

import dev.holdfast.push.PushRecord;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * When the pushes of a journal's segments came, so that a search by time passes over most of them. The time when a push was
 * accepted grows from push to push; the one when it was received does too, but for those that came out of the quarantine late.
 * Every method may block; any thread.
 */
final class SegmentTimes {
    /** By so much a clock may have been put back. */
    private static final long SLACK_MILLIS = TimeUnit.MINUTES.toMillis(5);

    /**
     * A segment, as far as it is kept.
     *
     * @param last its last position, or that of the journal where it is being written to
     */
    record Segment(long first, long last, boolean growing) {}

    private final Journal journal;
    /** When the first push of a segment was accepted, by its position. */
    private final Map<Long, Long> accepted = new ConcurrentHashMap<>();
    /** When the push of a segment was received that was received first, as far as somebody has looked. */
    private final Map<Long, Long> earliest = new ConcurrentHashMap<>();

    SegmentTimes(Journal journal) {
        this.journal = journal;
    }

    /** No push before this position was received then or later; 0: nothing is known. */
    long firstSince(long since) {
        if (since <= SLACK_MILLIS) {
            return 0;
        }
        List<Journal.Extent> extents = journal.extents();
        int low = 0;
        int high = extents.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (accepted(extents.get(middle).firstSeq()) < since - SLACK_MILLIS) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low == 0 ? 0 : extents.get(low - 1).firstSeq();
    }

    /** The one that a position lies in, or the oldest one. */
    Segment segment(long seq) {
        List<Journal.Extent> extents = journal.extents();
        int at = 0;
        while (at + 1 < extents.size() && extents.get(at + 1).firstSeq() <= seq) {
            at++;
        }
        boolean growing = at + 1 >= extents.size();
        long last = growing ? journal.lastSeq() : extents.get(at + 1).firstSeq() - 1;
        return new Segment(extents.isEmpty() ? seq : extents.get(at).firstSeq(), Math.max(seq, last), growing);
    }

    /** Whether a segment begins so long after a time that only late pushes in it were received before. */
    boolean isPast(Segment segment, long until) {
        return until < Long.MAX_VALUE - SLACK_MILLIS && accepted(segment.first()) >= until + SLACK_MILLIS;
    }

    /** When the first of its pushes was received; the lowest number while that isn't known. */
    long earliest(Segment segment) {
        return segment.growing() ? Long.MIN_VALUE : earliest.getOrDefault(segment.first(), Long.MIN_VALUE);
    }

    /** All of its pushes were looked at. */
    void earliest(Segment segment, long receivedAt) {
        if (!segment.growing()) {
            earliest.put(segment.first(), receivedAt);
        }
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
