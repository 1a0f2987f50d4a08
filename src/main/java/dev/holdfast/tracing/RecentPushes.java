package dev.holdfast.tracing;

import io.opentelemetry.api.trace.SpanContext;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Which traces the last pushes belong to: as many as there is room for, the newest over the oldest. Any thread. */
final class RecentPushes {
    /** About four megabytes. */
    static final int SIZE = 16_384;

    private record Received(long seq, SpanContext context) {}

    private final AtomicReferenceArray<Received> pushes = new AtomicReferenceArray<>(SIZE);

    void add(long seq, SpanContext context) {
        pushes.set(place(seq), new Received(seq, context));
    }

    /** An invalid one for a push that is too old, or of which nothing was seen. */
    SpanContext received(long seq) {
        Received found = pushes.get(place(seq));
        return found == null || found.seq != seq ? SpanContext.getInvalid() : found.context;
    }

    private static int place(long seq) {
        return (int) (seq % SIZE);
    }
}
