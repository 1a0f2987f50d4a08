package dev.holdfast.tracing;

import io.opentelemetry.api.trace.SpanContext;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** The trace contexts of the last pushes; the newest replaces the oldest. Any thread. */
final class RecentPushes {
    /** About four megabytes. */
    static final int SIZE = 16_384;

    private record Received(long seq, SpanContext context) {}

    private final AtomicReferenceArray<Received> pushes = new AtomicReferenceArray<>(SIZE);

    void add(long seq, SpanContext context) {
        pushes.set(place(seq), new Received(seq, context));
    }

    /** The context of a push; an invalid one if the push is too old or was not seen. */
    SpanContext received(long seq) {
        Received found = pushes.get(place(seq));
        return found == null || found.seq != seq ? SpanContext.getInvalid() : found.context;
    }

    private static int place(long seq) {
        return (int) (seq % SIZE);
    }
}
