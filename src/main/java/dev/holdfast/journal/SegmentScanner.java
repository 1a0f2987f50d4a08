package dev.holdfast.journal;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.zip.CRC32C;

/**
 * Goes through the records of a segment from some record's beginning on, past whatever is damaged: a record is whole when its
 * marker, its length and its checksum are right, and after one that isn't the next whole one is searched for byte by byte.
 * What the disk doesn't give may count as damaged as well, see {@link UnreadablePolicy}. By one thread.
 */
final class SegmentScanner implements AutoCloseable {
    private static final int WINDOW = 256 << 10;
    /** Who wants one record mostly has it in the first reading; who goes on has larger ones soon. */
    private static final int FIRST_READING = 32 << 10;

    private static final int BLOCK = LogDisk.BLOCK;

    private static final int WINDOWS_KEPT = 8;
    private static final BufferPool POOL = new BufferPool(WINDOW, WINDOWS_KEPT);

    private final FileChannel channel;
    /** 0 while it is not known. */
    private int marker;

    private final long end;
    private final UnreadablePolicy policy;
    /** Where blocks begin that could not be read. */
    private final NavigableSet<Long> unreadable = new TreeSet<>();

    private ByteBuffer window;
    /** Where in the file the window begins. */
    private long base;
    /** Bytes of the next reading. */
    private int ahead = FIRST_READING;

    private long next;
    private long offset;
    private int length;
    private boolean passedDamage;
    private boolean readSome;

    /**
     * @param marker what the segment's records carry; 0 when that is not known: then the first whole record tells
     * @param from where a record begins
     * @param end where records end; none reaches past it
     */
    SegmentScanner(FileChannel channel, int marker, long from, long end) {
        this(channel, marker, from, end, UnreadablePolicy.NEVER);
    }

    /** @param policy which blocks that can't be read count as damaged */
    SegmentScanner(FileChannel channel, int marker, long from, long end, UnreadablePolicy policy) {
        this.policy = policy;
        this.channel = channel;
        this.marker = marker;
        this.end = end;
        this.window = POOL.take();
        this.base = from;
        this.next = from;
    }

    /** Goes to the next whole record; false when there is none. */
    boolean next() throws IOException {
        passedDamage = false;
        if (isWhole(next)) {
            return true;
        }
        for (long at = next + 1; at + SegmentFormat.RECORD_HEAD <= end; at++) {
            if (isWhole(at)) {
                passedDamage = true;
                return true;
            }
        }
        return false;
    }

    /** Where the whole records seen so far end. */
    long seenTo() {
        return next;
    }

    /** Whether there was something else between this record and the one before it. */
    boolean passedDamage() {
        return passedDamage;
    }

    /** Whether anything could be read. */
    boolean readSome() {
        return readSome;
    }

    /** Whether some of what was passed could not be read. */
    boolean unreadable() {
        return !unreadable.isEmpty();
    }

    /** Whether the block that begins there could not be read. */
    boolean isUnreadable(long block) {
        return unreadable.contains(block);
    }

    /** How many blocks of what lies from one byte up to another could not be read. */
    int unreadableBlocks(long from, long to) {
        return from >= to ? 0 : unreadable.subSet(from - from % BLOCK, to).size();
    }

    /** Whether some of them can be read now: what they were passed for is over. Of a stretch the first and the last are tried. */
    boolean givesNow(long from, long to) {
        NavigableSet<Long> blocks =
                from >= to ? new TreeSet<>() : unreadable.subSet(from - from % BLOCK, true, to, false);
        return !blocks.isEmpty() && (gives(blocks.first()) || gives(blocks.last()));
    }

    private boolean gives(long block) {
        try {
            return channel.read(ByteBuffer.allocate((int) Math.min(BLOCK, end - block)), block) > 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** What lies from one byte up to another, and is no whole record. */
    String damage(long from, long to) {
        return unreadableBlocks(from, to) > 0 ? "bytes that can't be read" : "something else than a whole record";
    }

    /** What the records carry; 0 when there was none yet. */
    int marker() {
        return marker;
    }

    /** Where the record begins. */
    long offset() {
        return offset;
    }

    int length() {
        return length;
    }

    long seq() {
        return window.getLong(at(SegmentFormat.SEQ_AT));
    }

    int kind() {
        return SegmentFormat.kind(window.get(at(SegmentFormat.KIND_AT)));
    }

    boolean isFirstOfGroup() {
        return SegmentFormat.isFirstOfGroup(window.get(at(SegmentFormat.KIND_AT)));
    }

    /** What the record holds; valid until the next call of {@link #next}. */
    ByteBuffer payload() {
        return window.duplicate().limit(at(length)).position(at(SegmentFormat.RECORD_HEAD));
    }

    private int at(int place) {
        return (int) (offset - base) + place;
    }

    /**
     * Whether what lies behind the last whole record looks like a record that was written whole: its marker is there and its
     * length fits. A write that was cut short leaves less.
     */
    boolean endsInDamage() throws IOException {
        return hasLength(next);
    }

    /** The seq that the record at {@link #seenTo()} claims; only when {@link #endsInDamage}. */
    long claimedSeq() {
        return window.getLong((int) (next - base) + SegmentFormat.SEQ_AT);
    }

    private boolean hasLength(long from) throws IOException {
        if (end - from < SegmentFormat.RECORD_HEAD) {
            return false;
        }
        load(from, SegmentFormat.RECORD_HEAD);
        int start = (int) (from - base);
        if (marker != 0 && window.getInt(start + SegmentFormat.MARKER_AT) != marker) {
            return false;
        }
        int claimed = window.getInt(start + SegmentFormat.LENGTH_AT);
        return claimed >= SegmentFormat.RECORD_HEAD && claimed <= end - from;
    }

    private boolean isWhole(long from) throws IOException {
        if (!hasLength(from)) {
            return false;
        }
        int start = (int) (from - base);
        int claimed = window.getInt(start + SegmentFormat.LENGTH_AT);
        int checksum = window.getInt(start);
        // What doesn't fit is summed up first: a wrong length is not to cost its memory.
        if (claimed > window.capacity() && checksum != checksumOf(from + SegmentFormat.MARKER_AT, from + claimed)) {
            return false;
        }
        load(from, claimed);
        start = (int) (from - base);
        if (checksum != SegmentFormat.checksum(window, start + SegmentFormat.MARKER_AT, start + claimed)) {
            return false;
        }
        marker = window.getInt(start + SegmentFormat.MARKER_AT);
        offset = from;
        length = claimed;
        next = from + claimed;
        return true;
    }

    private int checksumOf(long from, long to) throws IOException {
        CRC32C crc = new CRC32C();
        ByteBuffer part = ByteBuffer.allocate(WINDOW);
        for (long at = from; at < to; at += part.limit()) {
            part.clear().limit((int) Math.min(part.capacity(), to - at));
            fill(part, at);
            crc.update(part.flip());
        }
        return (int) crc.getValue();
    }

    /** Has the window hold the file's bytes from {@code from} on, {@code bytes} at least. */
    private void load(long from, int bytes) throws IOException {
        if (from >= base && from + bytes <= base + window.limit()) {
            return;
        }
        if (bytes > window.capacity()) {
            ByteBuffer larger = ByteBuffer.allocate(bytes);
            POOL.giveBack(window);
            window = larger;
        }
        base = from;
        window.clear().limit((int) Math.min(Math.max(bytes, ahead), end - from));
        ahead = Math.min(WINDOW, 4 * ahead);
        fill(window, from);
        window.flip();
    }

    /** In parts, since for each read the JDK keeps a buffer outside of the heap that is as large. */
    private void fill(ByteBuffer target, long from) throws IOException {
        int limit = target.limit();
        while (target.position() < limit) {
            target.limit(Math.min(limit, target.position() + WINDOW));
            int position = target.position();
            try {
                read(target, from);
            } catch (EOFException | ClosedChannelException e) {
                throw e;
            } catch (IOException e) {
                if (policy == UnreadablePolicy.NEVER) {
                    throw e;
                }
                readBlocks(target.position(position), from);
            }
        }
    }

    private void read(ByteBuffer target, long from) throws IOException {
        if (channel.read(target, from + target.position()) < 0) {
            throw new EOFException(
                    "a segment ends at byte " + (from + target.position()) + " (expected: " + end + " bytes)");
        }
        readSome = true;
    }

    /** Each block by itself; zeros, which no record begins with, in place of what can't be read. */
    private void readBlocks(ByteBuffer target, long from) throws IOException {
        int limit = target.limit();
        IOException refused = null;
        while (target.position() < limit) {
            long at = from + target.position();
            target.limit((int) Math.min(limit, target.position() + BLOCK - at % BLOCK));
            try {
                read(target, from);
            } catch (EOFException | ClosedChannelException e) {
                throw e;
            } catch (IOException e) {
                long block = at - at % BLOCK;
                refused = policy.passes(block) ? refused : e;
                target.put(new byte[target.remaining()]);
                unreadable.add(block);
            }
        }
        if (refused != null) {
            throw refused;
        }
    }

    /** Gives back its memory; the channel stays open. */
    @Override
    public void close() {
        POOL.giveBack(window);
        window = ByteBuffer.allocate(0);
    }
}
