package dev.holdfast.receiver;

import io.vertx.core.buffer.Buffer;
import java.util.Arrays;

/** A request's body as it comes in: bounded, and never holding much more memory than has arrived. */
final class Body {
    private static final int LARGEST_FIRST_ALLOCATION = 64 * 1024;
    private static final int UNDECLARED_FIRST_ALLOCATION = 4 * 1024;

    private final long limit;
    private byte[] bytes;
    private int length;

    /**
     * @param declared the {@code Content-Length}; negative when there is none
     * @param limit bytes past which {@link #append} refuses
     */
    Body(long declared, long limit) {
        this.limit = limit;
        this.bytes = new byte
                [declared < 0 ? UNDECLARED_FIRST_ALLOCATION : (int) Math.min(declared, LARGEST_FIRST_ALLOCATION)];
    }

    /** Takes a chunk; false, and nothing taken, when that would pass the limit. */
    boolean append(Buffer chunk) {
        int total = length + chunk.length();
        if (total > limit || total < 0) {
            return false;
        }
        if (total > bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) Math.min(limit, Math.max(total, 2L * bytes.length)));
        }
        chunk.getBytes(bytes, length);
        length = total;
        return true;
    }

    int length() {
        return length;
    }

    /** The exact bytes so far. */
    byte[] bytes() {
        if (length < bytes.length) {
            bytes = Arrays.copyOf(bytes, length);
        }
        return bytes;
    }
}
