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
        receive.setAttribute(OtelTracer.SEQ, seq);
        commit.setAttribute(OtelTracer.SEQ, seq)
                .setAttribute(OtelTracer.OUTCOME, duplicate ? "duplicate" : "stored")
                .end();
        if (!duplicate) {
            recent.add(seq, receive.getSpanContext());
        }
    }

    @Override
    public void failed(Throwable cause) {
        commit.setAttribute(OtelTracer.OUTCOME, "failed")
                .setAttribute(OtelTracer.ERROR_TYPE, cause.getClass().getSimpleName())
                .setStatus(StatusCode.ERROR)
                .end();
    }

    @Override
    public void answered(String refusal) {
        if (!refusal.isEmpty()) {
            receive.setAttribute(OtelTracer.ERROR_TYPE, refusal).setStatus(StatusCode.ERROR);
        }
        receive.setAttribute(OtelTracer.OUTCOME, refusal.isEmpty() ? "accepted" : "refused")
                .end();
    }
}
