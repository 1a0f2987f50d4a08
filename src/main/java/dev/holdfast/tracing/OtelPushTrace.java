package dev.holdfast.tracing;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;

/** The spans {@code receive} and, inside it, {@code commit}. */
final class OtelPushTrace implements PushTrace {
    private final Span receive;
    private final Span commit;
    private final RecentPushes recent;

    OtelPushTrace(Span receive, Span commit, RecentPushes recent) {
        this.receive = receive;
        this.commit = commit;
        this.recent = recent;
    }

    @Override
    public void stored(long seq, boolean duplicate) {
        receive.setAttribute(SpanKeys.SEQ, seq);
        commit.setAttribute(SpanKeys.SEQ, seq)
                .setAttribute(SpanKeys.OUTCOME, duplicate ? "duplicate" : "stored")
                .end();
        if (!duplicate) {
            recent.add(seq, receive.getSpanContext());
        }
    }

    @Override
    public void failed(Throwable cause) {
        commit.setAttribute(SpanKeys.OUTCOME, "failed")
                .setAttribute(SpanKeys.ERROR_TYPE, cause.getClass().getSimpleName())
                .setStatus(StatusCode.ERROR)
                .end();
    }

    @Override
    public void answered(String refusal) {
        if (!refusal.isEmpty()) {
            receive.setAttribute(SpanKeys.ERROR_TYPE, refusal).setStatus(StatusCode.ERROR);
        }
        receive.setAttribute(SpanKeys.OUTCOME, refusal.isEmpty() ? "accepted" : "refused")
                .end();
    }
}
