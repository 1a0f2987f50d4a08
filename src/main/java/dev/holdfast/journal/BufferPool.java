package dev.holdfast.journal;

import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;

/** Buffers of one size to be used over and over. Any thread. */
final class BufferPool {
    private final int size;
    private final ArrayBlockingQueue<ByteBuffer> kept;

    BufferPool(int size, int kept) {
        this.size = size;
        this.kept = new ArrayBlockingQueue<>(kept);
    }

    /** An empty one: its limit is 0. */
    ByteBuffer take() {
        ByteBuffer buffer = kept.poll();
        return (buffer == null ? ByteBuffer.allocateDirect(size) : buffer)
                .clear()
                .limit(0);
    }

    /** One that isn't its own is let go. */
    void giveBack(ByteBuffer buffer) {
        if (buffer.capacity() == size) {
            var unused = kept.offer(buffer);
        }
    }
}
