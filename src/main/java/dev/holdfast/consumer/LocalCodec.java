package dev.holdfast.consumer;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.MessageCodec;
import java.util.function.UnaryOperator;

/**
 * Carries an immutable message over the event bus inside one process: the same object for all receivers, or a copy for
 * each.
 *
 * @param name unique on the bus
 * @param received makes what a receiver gets out of the message
 */
public record LocalCodec<T>(String name, UnaryOperator<T> received) implements MessageCodec<T, T> {
    /** For the same object. */
    public LocalCodec(String name) {
        this(name, UnaryOperator.identity());
    }

    @Override
    public void encodeToWire(Buffer buffer, T message) {
        throw new IllegalStateException(name + " messages stay inside one process");
    }

    @Override
    public T decodeFromWire(int position, Buffer buffer) {
        throw new IllegalStateException(name + " messages stay inside one process");
    }

    @Override
    public T transform(T message) {
        return received.apply(message);
    }

    @Override
    public byte systemCodecID() {
        return -1;
    }
}
