package dev.holdfast.tracing;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Traces with OpenTelemetry's SDK, which reads its environment variables. Each push is in the trace that it belongs to:
 * a span {@code receive}, inside it {@code commit}, and an {@code attempt} for each attempt of a consumer. Spans have
 * nothing of a push's body, query or signature. The only class that knows the SDK.
 */
final class OtelTracer implements PushTracer {
    private static final long CLOSE_SECONDS = 3;
    /**
     * Features that are off whatever the environment's variables say. The SDK reads the variables by itself, and only
     * these properties override them.
     */
    private static final Map<String, String> OFF =
            Map.of("otel.metrics.exporter", "none", "otel.logs.exporter", "none", "otel.propagators", "none");

    private static final AttributeKey<Long> SEQ = AttributeKey.longKey("holdfast.seq");
    private static final AttributeKey<String> EVENT = AttributeKey.stringKey("holdfast.event");
    private static final AttributeKey<String> ENDPOINT = AttributeKey.stringKey("holdfast.endpoint");
    private static final AttributeKey<String> CONSUMER = AttributeKey.stringKey("holdfast.consumer");
    private static final AttributeKey<Long> ATTEMPT = AttributeKey.longKey("holdfast.attempt");
    private static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("holdfast.outcome");
    private static final AttributeKey<String> ERROR_TYPE = AttributeKey.stringKey("error.type");

    private static final W3CTraceContextPropagator W3C = W3CTraceContextPropagator.getInstance();

    private static final TextMapGetter<UnaryOperator<String>> GETTER = new TextMapGetter<>() {
        @Override
        public Iterable<String> keys(UnaryOperator<String> headers) {
            return List.copyOf(W3C.fields());
        }

        @Override
        public @Nullable String get(@Nullable UnaryOperator<String> headers, String name) {
            return headers == null ? null : headers.apply(name);
        }
    };

    private final OpenTelemetrySdk sdk;
    private final ExporterLog log;
    private final Tracer tracer;
    /** The pushes' trace contexts, kept for the attempts. */
    private final RecentPushes recent = new RecentPushes();

    private OtelTracer(OpenTelemetrySdk sdk, ExporterLog log) {
        this.sdk = sdk;
        this.log = log;
        this.tracer = sdk.getTracerProvider().get("dev.holdfast");
    }

    /** Fails if the SDK doesn't understand a variable, with the SDK's message. */
    static OtelTracer of(Map<String, String> environment) {
        ExporterLog log = ExporterLog.open(new TracingSecrets(environment));
        try {
            OpenTelemetrySdk sdk = AutoConfiguredOpenTelemetrySdk.builder()
                    .addPropertiesSupplier(() -> properties(environment))
                    .addPropertiesCustomizer(known -> OFF)
                    // The gateway closes this when all its pushes are done.
                    .disableShutdownHook()
                    .build()
                    .getOpenTelemetrySdk();
            return new OtelTracer(sdk, log);
        } catch (RuntimeException e) {
            log.close();
            throw e;
        }
    }

    /** The environment's variables under the SDK's names, on top of our defaults. */
    private static Map<String, String> properties(Map<String, String> environment) {
        Map<String, String> properties = new HashMap<>();
        // The other protocol needs a sender that the JDK doesn't have.
        properties.put("otel.exporter.otlp.protocol", "http/protobuf");
        if (!environment.getOrDefault("OTEL_RESOURCE_ATTRIBUTES", "").contains("service.name=")) {
            properties.put("otel.service.name", "holdfast");
        }
        environment.forEach((name, value) -> {
            if (name.startsWith("OTEL_") && !value.isBlank()) {
                properties.put(name.toLowerCase(Locale.ROOT).replace('_', '.'), value);
            }
        });
        return properties;
    }

    @Override
    public PushTrace received(String endpoint, String event, long since, UnaryOperator<String> headers) {
        Instant now = Instant.now();
        long nanos = TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
        Span receive = begin("receive", W3C.extract(Context.root(), headers, GETTER), endpoint, event)
                .setSpanKind(SpanKind.SERVER)
                .setStartTimestamp(nanos - (System.nanoTime() - since), TimeUnit.NANOSECONDS)
                .startSpan();
        Span commit = tracer.spanBuilder("commit")
                .setParent(Context.root().with(receive))
                .startSpan();
        return new Received(receive, commit, recent);
    }

    private SpanBuilder begin(String name, Context parent, String endpoint, String event) {
        return tracer.spanBuilder(name)
                .setParent(parent)
                .setAttribute(ENDPOINT, endpoint)
                .setAttribute(EVENT, event);
    }

    private record Received(Span receive, Span commit, RecentPushes recent) implements PushTrace {
        @Override
        public void stored(long seq, boolean duplicate) {
            receive.setAttribute(SEQ, seq);
            commit.setAttribute(SEQ, seq)
                    .setAttribute(OUTCOME, duplicate ? "duplicate" : "stored")
                    .end();
            if (!duplicate) {
                recent.add(seq, receive.getSpanContext());
            }
        }

        @Override
        public void failed(Throwable cause) {
            end(commit, "failed", cause);
        }

        @Override
        public void answered(String refusal) {
            if (!refusal.isEmpty()) {
                receive.setAttribute(ERROR_TYPE, refusal).setStatus(StatusCode.ERROR);
            }
            receive.setAttribute(OUTCOME, refusal.isEmpty() ? "accepted" : "refused")
                    .end();
        }
    }

    @Override
    public BatchTrace batch(String consumer) {
        return new Attempts(consumer);
    }

    /** A span that never ends is never sent: so a push that was not attempted leaves none. */
    private final class Attempts implements BatchTrace {
        private final String consumer;
        private final List<Span> spans = new ArrayList<>();

        Attempts(String consumer) {
            this.consumer = consumer;
        }

        @Override
        public Map<String, String> begin(long seq, String endpoint, String event, int attempt) {
            Context parent = Context.root().with(Span.wrap(recent.received(seq)));
            Span span = OtelTracer.this
                    .begin("attempt", parent, endpoint, event)
                    .setSpanKind(SpanKind.CLIENT)
                    .setAttribute(CONSUMER, consumer)
                    .setAttribute(SEQ, seq)
                    .setAttribute(ATTEMPT, (long) attempt)
                    .startSpan();
            spans.add(span);
            Map<String, String> headers = new HashMap<>();
            W3C.inject(Context.root().with(span), headers, (carrier, name, value) -> headers.put(name, value));
            return Map.copyOf(headers);
        }

        @Override
        public void answered(int handled, @Nullable Throwable failure) {
            spans.subList(0, handled)
                    .forEach(span -> span.setAttribute(OUTCOME, "handled").end());
            if (failure != null) {
                end(spans.get(handled), "failed", failure);
            }
        }

        @Override
        public void unanswered(Throwable failure) {
            spans.forEach(span -> end(span, "unanswered", failure));
        }
    }

    /** The kind of a failure, not its message: that may quote the push. */
    private static void end(Span span, String outcome, Throwable failure) {
        span.setAttribute(OUTCOME, outcome)
                .setAttribute(ERROR_TYPE, failure.getClass().getSimpleName())
                .setStatus(StatusCode.ERROR)
                .end();
    }

    @Override
    public void close() {
        sdk.shutdown().join(CLOSE_SECONDS, TimeUnit.SECONDS);
        log.close();
    }
}
