package dev.holdfast.journal;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.zip.CRC32C;

/**
 * The bytes of a segment, read forward a window at a time. What the disk doesn't give may count as damaged: zeros, which no record
 * begins with, are in its place then. By one thread.
 */
final class SegmentBytes implements AutoCloseable {
    private static final int BLOCK = LogDisk.BLOCK;
    private static final int WINDOW = 256 << 10;
    /** The first reading is mostly enough for one record; the next ones are larger. */
    private static final int FIRST_READING = 32 << 10;

    private static final int WINDOWS_KEPT = 8;
    private static final ArrayBlockingQueue<ByteBuffer> POOL = new ArrayBlockingQueue<>(WINDOWS_KEPT);

    private final SegmentFile file;
    private final long end;
    private final UnreadablePolicy policy;
    /** Where blocks begin that could not be read. */
    private final NavigableSet<Long> unreadable = new TreeSet<>();

    private ByteBuffer window;
    /** Where in the file the window begins. */
    private long base;
    /** Bytes of the next reading. */
    private int ahead = FIRST_READING;

    /** @param end none is read from there on */
    SegmentBytes(SegmentFile file, long end, UnreadablePolicy policy) {
        this.file = file;
        this.end = end;
        this.policy = policy;
        ByteBuffer kept = POOL.poll();
        this.window = (kept == null ? ByteBuffer.allocateDirect(WINDOW) : kept.clear()).limit(0);
    }

    /** Has these at hand, which lie before the end; others may be let go of. */
    void load(long from, int bytes) throws IOException {
        if (from >= base && from + bytes <= base + window.limit()) {
            return;
        }
        if (bytes > window.capacity()) {
            ByteBuffer larger = ByteBuffer.allocate(bytes);
            giveBack();
            window = larger;
        }
        base = from;
        window.clear().limit((int) Math.min(Math.max(bytes, ahead), end - from));
        ahead = Math.min(WINDOW, 4 * ahead);
        fill(window, from);
        window.flip();
    }

    /** A byte that has been loaded; so must what the next ones read. */
    byte get(long at) {
        return window.get((int) (at - base));
    }

    int getInt(long at) {
        return window.getInt((int) (at - base));
    }

    long getLong(long at) {
        return window.getLong((int) (at - base));
    }

    /** Valid until others are loaded. */
    ByteBuffer slice(long from, long to) {
        return window.duplicate().limit((int) (to - base)).position((int) (from - base));
    }

    int checksum(long from, long to) {
        return SegmentFormat.checksum(window, (int) (from - base), (int) (to - base));
    }

    /** Whether as many don't fit into a window: to load them takes their memory. */
    boolean areMany(int bytes) {
        return bytes > window.capacity();
    }

    /** The same without loading them. */
    int checksumOfMany(long from, long to) throws IOException {
        CRC32C crc = new CRC32C();
        ByteBuffer part = ByteBuffer.allocate(WINDOW);
        for (long at = from; at < to; at += part.limit()) {
            part.clear().limit((int) Math.min(part.capacity(), to - at));
            fill(part, at);
            crc.update(part.flip());
        }
        return (int) crc.getValue();
    }

    /** Whether the block that begins there could not be read. */
    boolean isUnreadable(long block) {
        return unreadable.contains(block);
    }

    /** Whether some of what lies from one byte up to another could not be read. */
    boolean hasUnreadable(long from, long to) {
        return from < to && !unreadable.subSet(from - from % BLOCK, to).isEmpty();
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
        if (file.read(target, from + target.position()) < 0) {
            throw new EOFException(
                    "a segment ends at byte " + (from + target.position()) + " (expected: " + end + " bytes)");
        }
    }

    /** Each by itself. */
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

    /** Gives back its memory; the file stays open. */
    @Override
    public void close() {
        giveBack();
        window = ByteBuffer.allocate(0);
    }

    private void giveBack() {
        if (window.isDirect()) {
            var unused = POOL.offer(window);
        }
    }
}
