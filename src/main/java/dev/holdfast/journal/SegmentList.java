package dev.holdfast.journal;

import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The segments that count, in order, and the newest durable position. Changed by the writer thread, or before there is one;
 * read by any.
 */
final class SegmentList {
    private volatile NavigableMap<Long, Segment> segments;
    private volatile long lastSeq;

    /** @param found oldest first */
    SegmentList(List<Segment> found) {
        NavigableMap<Long, Segment> all = new TreeMap<>();
        found.forEach(segment -> all.put(segment.firstSeq(), segment));
        segments = Collections.unmodifiableNavigableMap(all);
        lastSeq = all.isEmpty() ? 0 : all.lastEntry().getValue().lastSeq();
    }

    /** By the position that each begins with, oldest first. */
    NavigableMap<Long, Segment> all() {
        return segments;
    }

    /** The newest durable position; 0 when there was never one. */
    long lastSeq() {
        return lastSeq;
    }

    /** Where the oldest segment begins; {@link #lastSeq()} + 1 when nothing is kept. */
    long firstSeq() {
        NavigableMap<Long, Segment> now = segments;
        return now.isEmpty() ? lastSeq + 1 : now.firstKey();
    }

    /** Bytes of the files. */
    long size() {
        return segments.values().stream().mapToLong(Segment::length).sum();
    }

    void lastSeq(long seq) {
        lastSeq = seq;
    }

    /** A new segment goes on, in the place of one of the same name. */
    void add(Segment newest) {
        NavigableMap<Long, Segment> all = new TreeMap<>(segments.headMap(newest.firstSeq()));
        all.put(newest.firstSeq(), newest);
        segments = Collections.unmodifiableNavigableMap(all);
    }

    /** Lets go of the segments that hold nothing at or past {@code seq}, and returns them; never of the newest one. */
    List<Segment> removeBelow(long seq) {
        NavigableMap<Long, Segment> now = segments;
        Long kept = now.floorKey(seq);
        if (kept == null) {
            return List.of();
        }
        List<Segment> removed = List.copyOf(now.headMap(kept).values());
        segments = Collections.unmodifiableNavigableMap(new TreeMap<>(now.tailMap(kept)));
        return removed;
    }
}
