package dev.holdfast.consumer;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.MessageCodec;
import java.util.function.UnaryOperator;

/**
 * Carries an immutable message over the event bus inside one process: the same object for all receivers, or a copy for
 * each.
 */
public final class LocalCodec<T> implements MessageCodec<T, T> {
    private final String name;
    private final UnaryOperator<T> received;

    /** @param name unique on the bus */
    public LocalCodec(String name) {
        this(name, UnaryOperator.identity());
    }

    /** @param received makes what a receiver gets out of the message */
    public LocalCodec(String name, UnaryOperator<T> received) {
        this.name = name;
        this.received = received;
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
    public String name() {
        return name;
    }

    @Override
    public byte systemCodecID() {
        return -1;
    }
}
