package dev.holdfast.tracing;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A span {@code attempt} for each push. One that never ends is never sent: that of a push which was not attempted. */
final class OtelBatchTrace implements BatchTrace {
    private final PushSpans spans;
    private final String consumer;
    private final List<Span> attempts = new ArrayList<>();

    OtelBatchTrace(PushSpans spans, String consumer) {
        this.spans = spans;
        this.consumer = consumer;
    }

    @Override
    public Map<String, String> begin(long seq, String endpoint, String event, int attempt) {
        Span span = spans.attempt(consumer, seq, endpoint, event, attempt);
        attempts.add(span);
        return PushSpans.headers(span);
    }

    @Override
    public void answered(int handled, @Nullable Throwable failure) {
        attempts.subList(0, handled)
                .forEach(span -> span.setAttribute(SpanKeys.OUTCOME, "handled").end());
        if (failure != null) {
            end(attempts.get(handled), "failed", failure);
        }
    }

    @Override
    public void unanswered(Throwable failure) {
        attempts.forEach(span -> end(span, "unanswered", failure));
    }

    /** The kind of a failure, not its message: that may quote the push. */
    private static void end(Span span, String outcome, Throwable failure) {
        span.setAttribute(SpanKeys.OUTCOME, outcome)
                .setAttribute(SpanKeys.ERROR_TYPE, failure.getClass().getSimpleName())
                .setStatus(StatusCode.ERROR)
                .end();
    }
}
