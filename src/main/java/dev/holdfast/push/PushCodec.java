package dev.holdfast.push;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.MessageCodec;

/**
 * Carries a {@link Push} over the event bus inside one process: what arrives is a push of the receiver's own, made of the
 * same immutable record.
 */
public final class PushCodec implements MessageCodec<Push, Push> {
    @Override
    public void encodeToWire(Buffer buffer, Push push) {
        throw new IllegalStateException(
                "a push is delivered inside one process only, so it is never written to a wire");
    }

    @Override
    public Push decodeFromWire(int position, Buffer buffer) {
        throw new IllegalStateException("a push is delivered inside one process only, so it is never read from a wire");
    }

    @Override
    public Push transform(Push push) {
        return push.copy();
    }

    @Override
    public String name() {
        return "push";
    }

    @Override
    public byte systemCodecID() {
        return -1;
    }
}
