package dev.holdfast.journal;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * One file of the log, as far as it counts. What it holds up to {@link #end()} is durable and never changes; that grows while
 * it is written. Changed by the writer thread, or before anyone else knows it; read by any.
 */
final class Segment {
    private final Path path;
    private final long firstSeq;
    private final int marker;
    private volatile long lastSeq;
    private volatile long end;
    private volatile long length;
    private volatile @Nullable SparseIndex index;
    private volatile boolean sealed;
    private volatile long certain = Long.MAX_VALUE;

    /** @param marker what its records carry */
    Segment(Path path, long firstSeq, int marker) {
        this.path = path;
        this.firstSeq = firstSeq;
        this.marker = marker;
        this.lastSeq = firstSeq - 1;
        this.end = SegmentFormat.HEADER_LENGTH;
        this.length = SegmentFormat.HEADER_LENGTH;
    }

    Path path() {
        return path;
    }

    String name() {
        return String.valueOf(path.getFileName());
    }

    /** The position it is named after. */
    long firstSeq() {
        return firstSeq;
    }

    /** The newest position in it; {@link #firstSeq()} - 1 when there is none. */
    long lastSeq() {
        return lastSeq;
    }

    int marker() {
        return marker;
    }

    /** Where the records end that count. */
    long end() {
        return end;
    }

    /** Bytes of the file. */
    long length() {
        return length;
    }

    boolean isEmpty() {
        return lastSeq < firstSeq;
    }

    /** Whether it has its footer, and before that its digests unless they were too sparse. */
    boolean isSealed() {
        return sealed;
    }

    /** Where its pushes begin; null while nobody has looked. */
    @Nullable
    SparseIndex index() {
        return index;
    }

    void index(SparseIndex built) {
        index = built;
    }

    /** It holds durable records up to {@code end} now. */
    void grownTo(long lastSeq, long end) {
        grownTo(lastSeq, end, end);
    }

    /** The same where behind what counts lies something else: a footer, or what can't be cut off. */
    void grownTo(long lastSeq, long end, long length) {
        // In this order: who sees the position finds its bytes.
        this.end = end;
        this.length = length;
        this.lastSeq = lastSeq;
    }

    /** How far its positions go was only guessed: up to here they were given. */
    void certain(long seq) {
        certain = seq;
    }

    /** Positions past it that it doesn't hold were never given; the highest number: all that are its were. */
    long certain() {
        return certain;
    }

    void seal(long bytes) {
        length = bytes;
        sealed = true;
    }

    @Override
    public String toString() {
        return name();
    }
}
