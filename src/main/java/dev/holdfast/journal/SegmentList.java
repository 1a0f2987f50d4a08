package dev.holdfast.journal;

import java.util.ArrayList;
import java.util.List;

/**
 * The segments that count, in order, and the newest durable position. Changed by the writer thread, or before there is one;
 * read by any.
 */
final class SegmentList {
    private volatile List<Segment> segments = List.of();
    private volatile long lastSeq;

    /** Oldest first. */
    List<Segment> all() {
        return segments;
    }

    /** The newest durable position; 0 when there was never one. */
    long lastSeq() {
        return lastSeq;
    }

    /** Where the oldest segment begins; {@link #lastSeq()} + 1 when nothing is kept. */
    long firstSeq() {
        List<Segment> now = segments;
        return now.isEmpty() ? lastSeq + 1 : now.get(0).firstSeq();
    }

    /** Bytes of the files. */
    long size() {
        return segments.stream().mapToLong(Segment::length).sum();
    }

    void replace(List<Segment> all) {
        segments = List.copyOf(all);
    }

    void lastSeq(long seq) {
        lastSeq = seq;
    }

    /** A new segment goes on, in the place of one of the same name. */
    void add(Segment newest) {
        List<Segment> all = new ArrayList<>(segments);
        all.removeIf(segment -> segment.firstSeq() >= newest.firstSeq());
        all.add(newest);
        segments = List.copyOf(all);
    }

    /** Lets go of the segments that hold nothing at or past {@code seq}, and returns them; never of the newest one. */
    List<Segment> removeBelow(long seq) {
        List<Segment> now = segments;
        int keep = 0;
        while (keep < now.size() - 1 && now.get(keep + 1).firstSeq() <= seq) {
            keep++;
        }
        segments = now.subList(keep, now.size());
        return now.subList(0, keep);
    }

    /** The place among {@code all} of the segment that holds {@code seq}, if any does; -1 when it is before all of them. */
    static int place(List<Segment> all, long seq) {
        int low = 0;
        int high = all.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (all.get(middle).firstSeq() <= seq) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low - 1;
    }
}
