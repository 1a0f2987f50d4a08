package dev.holdfast.receiver;

import io.netty.buffer.ByteBuf;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.buffer.BufferInternal;
import java.util.Arrays;

/**
 * A request's body as it comes in, bounded. It takes no memory before its first chunk, whatever length was declared, and
 * after that at most 8 KiB or twice what has arrived, whichever is more. A body that comes in one chunk is not copied, and
 * one that is declared with no more than 8 KiB once.
 */
final class Body {
    /** Up to here the declared length is allocated with the first chunk. */
    private static final int TRUSTED_LENGTH = 8 * 1024;

    private static final byte[] NOTHING = {};

    private final long limit;
    private final long declared;
    private byte[] bytes = NOTHING;
    private int length;

    /**
     * @param declared the {@code Content-Length}; negative when there is none
     * @param limit bytes past which {@link #append} refuses
     */
    Body(long declared, long limit) {
        this.declared = declared;
        this.limit = limit;
    }

    /** Takes a chunk; false, and nothing taken, when that would pass the limit. */
    boolean append(Buffer chunk) {
        int total = length + chunk.length();
        if (total > limit || total < 0) {
            return false;
        }
        if (total > bytes.length) {
            int capacity = capacityFor(total);
            if (length == 0 && capacity == total) {
                bytes = bytesOf(chunk);
                length = total;
                return true;
            }
            bytes = length == 0 ? new byte[capacity] : Arrays.copyOf(bytes, capacity);
        }
        chunk.getBytes(bytes, length);
        length = total;
        return true;
    }

    /** The array behind the chunk where it holds nothing else: Vert.x has made it for its handler alone, so it needs no copy. */
    private static byte[] bytesOf(Buffer chunk) {
        ByteBuf own = ((BufferInternal) chunk).unwrap();
        boolean exact = own.hasArray() && own.arrayOffset() == 0 && own.array().length == chunk.length();
        return exact ? own.array() : chunk.getBytes();
    }

    private int capacityFor(int total) {
        if (declared >= 0 && declared <= TRUSTED_LENGTH) {
            return (int) Math.max(total, Math.min(declared, limit));
        }
        long largest = declared < 0 ? limit : Math.min(declared, limit);
        return (int) Math.max(total, Math.min(largest, 2L * bytes.length));
    }

    int length() {
        return length;
    }

    /** The memory it takes at the moment, in bytes: never less than {@link #length()}. */
    int capacity() {
        return bytes.length;
    }

    /** The exact bytes so far. */
    byte[] bytes() {
        if (length < bytes.length) {
            bytes = Arrays.copyOf(bytes, length);
        }
        return bytes;
    }
}
