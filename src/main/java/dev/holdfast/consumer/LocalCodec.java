package dev.holdfast.consumer;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.MessageCodec;

/** Carries an immutable message over the event bus inside one process as it is. */
public final class LocalCodec<T> implements MessageCodec<T, T> {
    private final String name;

    /** @param name unique on the bus */
    public LocalCodec(String name) {
        this.name = name;
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
        return message;
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
