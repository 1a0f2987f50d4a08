package dev.holdfast.tracing;

import dev.holdfast.tracing.PushTracer.Headers;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Begins the spans of pushes, each in the trace that it belongs to. Safe from any thread. */
final class PushSpans {
    private static final W3CTraceContextPropagator W3C = W3CTraceContextPropagator.getInstance();

    private static final TextMapGetter<Headers> GETTER = new TextMapGetter<>() {
        @Override
        public Iterable<String> keys(Headers headers) {
            return List.copyOf(W3C.fields());
        }

        @Override
        public @Nullable String get(@Nullable Headers headers, String name) {
            return headers == null ? null : headers.get(name);
        }
    };

    private final Tracer tracer;
    private final RecentPushes recent = new RecentPushes();

    PushSpans(Tracer tracer) {
        this.tracer = tracer;
    }

    /** Where contexts are kept for the attempts. */
    RecentPushes recent() {
        return recent;
    }

    /** @param since {@code System.nanoTime()} of the request's head */
    Span receive(String endpoint, String event, long since, Headers headers) {
        Instant now = Instant.now();
        long nanos = TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
        return tracer.spanBuilder("receive")
                .setParent(W3C.extract(Context.root(), headers, GETTER))
                .setSpanKind(SpanKind.SERVER)
                .setStartTimestamp(nanos - (System.nanoTime() - since), TimeUnit.NANOSECONDS)
                .setAttribute(SpanKeys.ENDPOINT, endpoint)
                .setAttribute(SpanKeys.EVENT, event)
                .startSpan();
    }

    Span commit(Span receive) {
        return tracer.spanBuilder("commit")
                .setParent(Context.root().with(receive))
                .startSpan();
    }

    Span attempt(String consumer, long seq, String endpoint, String event, int attempt) {
        return tracer.spanBuilder("attempt")
                .setParent(Context.root().with(Span.wrap(recent.received(seq))))
                .setSpanKind(SpanKind.CLIENT)
                .setAttribute(SpanKeys.CONSUMER, consumer)
                .setAttribute(SpanKeys.SEQ, seq)
                .setAttribute(SpanKeys.ENDPOINT, endpoint)
                .setAttribute(SpanKeys.EVENT, event)
                .setAttribute(SpanKeys.ATTEMPT, (long) attempt)
                .startSpan();
    }

    static Map<String, String> headers(Span span) {
        Map<String, String> headers = new HashMap<>();
        W3C.inject(Context.root().with(span), headers, (carrier, name, value) -> headers.put(name, value));
        return Map.copyOf(headers);
    }
}
