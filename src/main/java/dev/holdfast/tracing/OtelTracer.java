package dev.holdfast.tracing;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Traces with OpenTelemetry's SDK, which its variables configure. The only class that knows the SDK. */
final class OtelTracer implements PushTracer {
    private static final long CLOSE_SECONDS = 3;
    /** Not used here, whatever a machine's variables say: the SDK reads those for itself, and puts them before all but these. */
    private static final Map<String, String> OFF =
            Map.of("otel.metrics.exporter", "none", "otel.logs.exporter", "none", "otel.propagators", "none");

    private final OpenTelemetrySdk sdk;
    private final ExporterLog log;
    private final PushSpans spans;

    private OtelTracer(OpenTelemetrySdk sdk, ExporterLog log) {
        this.sdk = sdk;
        this.log = log;
        this.spans = new PushSpans(sdk.getTracerProvider().get("dev.holdfast"));
    }

    /** Fails when a variable is not understood, with what the SDK says of it. */
    static OtelTracer of(Map<String, String> environment) {
        ExporterLog log = ExporterLog.open(new TracingSecrets(environment));
        try {
            OpenTelemetrySdk sdk = AutoConfiguredOpenTelemetrySdk.builder()
                    .addPropertiesSupplier(() -> properties(environment))
                    .addPropertiesCustomizer(known -> OFF)
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
        Span receive = spans.receive(endpoint, event, since, headers);
        return new OtelPushTrace(receive, spans.commit(receive), spans.recent());
    }

    @Override
    public BatchTrace batch(String consumer) {
        return new OtelBatchTrace(spans, consumer);
    }

    @Override
    public void close() {
        sdk.shutdown().join(CLOSE_SECONDS, TimeUnit.SECONDS);
        log.close();
    }
}
