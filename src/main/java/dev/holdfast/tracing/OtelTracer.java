package dev.holdfast.tracing;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Traces with OpenTelemetry's SDK, which its variables configure. The only class that knows the SDK. */
final class OtelTracer implements PushTracer {
    static final AttributeKey<Long> SEQ = AttributeKey.longKey("holdfast.seq");
    static final AttributeKey<String> EVENT = AttributeKey.stringKey("holdfast.event");
    static final AttributeKey<String> ENDPOINT = AttributeKey.stringKey("holdfast.endpoint");
    static final AttributeKey<String> CONSUMER = AttributeKey.stringKey("holdfast.consumer");
    static final AttributeKey<Long> ATTEMPT = AttributeKey.longKey("holdfast.attempt");
    static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("holdfast.outcome");
    static final AttributeKey<String> ERROR_TYPE = AttributeKey.stringKey("error.type");

    private static final W3CTraceContextPropagator W3C = W3CTraceContextPropagator.getInstance();
    private static final long CLOSE_SECONDS = 3;

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

    private final OpenTelemetrySdk sdk;
    private final ExporterLog log;
    private final Tracer tracer;
    private final RecentPushes recent = new RecentPushes();

    private OtelTracer(OpenTelemetrySdk sdk, ExporterLog log) {
        this.sdk = sdk;
        this.log = log;
        this.tracer = sdk.getTracerProvider().get("dev.holdfast");
    }

    /** Fails when a variable is not understood, with what the SDK says of it. */
    static OtelTracer of(Map<String, String> environment) {
        ExporterLog log = ExporterLog.open();
        try {
            OpenTelemetrySdk sdk = AutoConfiguredOpenTelemetrySdk.builder()
                    .addPropertiesSupplier(() -> properties(environment))
                    // The gateway's end is when all its pushes have come to theirs.
                    .disableShutdownHook()
                    .build()
                    .getOpenTelemetrySdk();
            return new OtelTracer(sdk, log);
        } catch (RuntimeException e) {
            log.close();
            throw e;
        }
    }

    /** What the SDK calls the variables, over what it would do without them. */
    private static Map<String, String> properties(Map<String, String> environment) {
        Map<String, String> properties = new HashMap<>();
        // The other one needs a sender that the JDK has not.
        properties.put("otel.exporter.otlp.protocol", "http/protobuf");
        properties.put("otel.metrics.exporter", "none");
        properties.put("otel.logs.exporter", "none");
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
    public PushTrace received(String endpoint, String event, long since, Headers headers) {
        Instant now = Instant.now();
        long nanos = TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
        Span receive = tracer.spanBuilder("receive")
                .setParent(W3C.extract(Context.root(), headers, GETTER))
                .setSpanKind(SpanKind.SERVER)
                .setStartTimestamp(nanos - (System.nanoTime() - since), TimeUnit.NANOSECONDS)
                .setAttribute(ENDPOINT, endpoint)
                .setAttribute(EVENT, event)
                .startSpan();
        Span commit = tracer.spanBuilder("commit")
                .setParent(Context.root().with(receive))
                .startSpan();
        return new OtelPushTrace(receive, commit, recent);
    }

    @Override
    public BatchTrace batch(String consumer) {
        return new OtelBatchTrace(this, consumer);
    }

    Span attempt(String consumer, long seq, String endpoint, String event, int attempt) {
        return tracer.spanBuilder("attempt")
                .setParent(Context.root().with(Span.wrap(recent.received(seq))))
                .setSpanKind(SpanKind.CLIENT)
                .setAttribute(CONSUMER, consumer)
                .setAttribute(SEQ, seq)
                .setAttribute(ENDPOINT, endpoint)
                .setAttribute(EVENT, event)
                .setAttribute(ATTEMPT, (long) attempt)
                .startSpan();
    }

    static Map<String, String> headers(Span span) {
        Map<String, String> headers = new HashMap<>();
        W3C.inject(Context.root().with(span), headers, (carrier, name, value) -> headers.put(name, value));
        return Map.copyOf(headers);
    }

    @Override
    public void close() {
        sdk.shutdown().join(CLOSE_SECONDS, TimeUnit.SECONDS);
        log.close();
    }
}
