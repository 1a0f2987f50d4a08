package dev.holdfast.simulator;

import io.vertx.core.buffer.Buffer;
import org.jspecify.annotations.Nullable;

/**
 * One push as it goes over the wire.
 *
 * @param sequence number of the body within its source, from 1; a duplicate has that of its original
 * @param event the envelope's {@code event}
 * @param id the envelope's {@code id}
 * @param createdAt the envelope's {@code created_at}, Unix time in seconds
 * @param body the exact bytes; not to be written into
 * @param signature the signature header's value
 * @param fault what is wrong with it; null: nothing
 */
public record SimulatedPush(
        long sequence,
        String event,
        String id,
        long createdAt,
        Buffer body,
        String signature,
        @Nullable Fault fault) {

    SimulatedPush again() {
        return new SimulatedPush(sequence, event, id, createdAt, body, signature, Fault.DUPLICATE);
    }
}
