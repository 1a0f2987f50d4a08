package dev.holdfast.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.holdfast.JavaProcess;
import dev.holdfast.LogLines;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TracingTest {
    private static final String ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT";

    @ParameterizedTest
    @CsvSource({
        "OTEL_SERVICE_NAME=a, false",
        "OTEL_EXPORTER_OTLP_ENDPOINT=http://c:4318, true",
        "OTEL_EXPORTER_OTLP_ENDPOINT=, false",
        "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=http://c:4318, true",
        "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT=http://c:4318, false",
        "OTEL_TRACES_EXPORTER=otlp, true",
        "OTEL_TRACES_EXPORTER=None, false"
    })
    void aVariableThatSaysWhereTracesGoAsksForThem(String variable, boolean isAsked) {
        String[] parts = variable.split("=", 2);

        assertThat(Tracing.isAsked(Map.of(parts[0], parts[1]))).isEqualTo(isAsked);
    }

    @Test
    void withoutAnExporterOfTracesOrWithTheSdkDisabledNothingIsTraced() {
        assertThat(Tracing.isAsked(Map.of())).isFalse();
        assertThat(Tracing.isAsked(Map.of(ENDPOINT, "http://c:4318", "OTEL_SDK_DISABLED", "true")))
                .isFalse();
        assertThat(Tracing.isAsked(Map.of(ENDPOINT, "http://c:4318", "OTEL_TRACES_EXPORTER", "none")))
                .isFalse();
    }

    @Test
    void aVariableThatIsNotUnderstoodIsLoggedWithoutTheKeyToTheCollector() {
        try (LogLines log = LogLines.atWarn()) {
            PushTracer tracer = Tracing.of(
                    Map.of(ENDPOINT, "http://127.0.0.1:9", "OTEL_EXPORTER_OTLP_HEADERS", "the-key-of-the-collector"));

            assertThat(tracer).isSameAs(PushTracer.NONE);
            assertThat(log.lines())
                    .anyMatch(line -> line.startsWith("ERROR") && line.contains("otel.exporter.otlp.headers"));
            assertThat(log.text()).doesNotContain("the-key");
        }
    }

    @Test
    void aValueThatTheSdkRefusesIsLoggedWithWhatIsWrongWithIt() {
        try (LogLines log = LogLines.atWarn()) {
            PushTracer tracer = Tracing.of(Map.of(ENDPOINT, "http://127.0.0.1:9", "OTEL_BSP_SCHEDULE_DELAY", "-1"));

            assertThat(tracer).isSameAs(PushTracer.NONE);
            assertThat(log.text()).contains("Unexpected configuration error: delay must be non-negative");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, http://127.0.0.1:9/otlp/the-key?api-key=the-key",
        "OTEL_EXPORTER_OTLP_ENDPOINT, http//user:the-key@127.0.0.1:9",
        "OTEL_EXPORTER_OTLP_ENDPOINT, the-key",
        "OTEL_EXPORTER_OTLP_ENDPOINT, http://user:the-key@127.0.0.1:9/the-key",
        "OTEL_EXPORTER_OTLP_HEADERS, Authorization=Bearer the-key%0A"
    })
    void nothingThatMayBeAKeyToTheCollectorIsLogged(String variable, String value) {
        Map<String, String> environment = new HashMap<>(Map.of(ENDPOINT, "http://127.0.0.1:9"));
        environment.put(variable, value);
        try (LogLines log = LogLines.atTrace()) {
            PushTracer tracer = Tracing.of(environment);
            BatchTrace batch = tracer.batch("mine");
            batch.begin(1, "default", "client.created", 1);
            batch.answered(1, null);
            tracer.close();

            assertThat(log.text()).contains("traced").doesNotContain("the-key");
        }
    }

    /** In a process of its own: the SDK reads the real variables for itself, beside those that it is given. */
    @Test
    void theSdksMetricsLogsAndPropagatorsStayOffWhateverAMachineSays() throws IOException, InterruptedException {
        ProcessBuilder child = JavaProcess.of(TracedProcess.class).redirectErrorStream(true);
        child.environment().put(ENDPOINT, "http://127.0.0.1:9");
        child.environment().put("OTEL_METRICS_EXPORTER", "prometheus");
        child.environment().put("OTEL_LOGS_EXPORTER", "console");
        child.environment().put("OTEL_PROPAGATORS", "b3");
        Process process = child.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(said).isZero();
    }

    @Test
    void theModulesThatTheGuideNamesAreEnoughForTraces() throws IOException, InterruptedException {
        ProcessBuilder child =
                JavaProcess.withModulesOfTheGuide(TracedProcess.class).redirectErrorStream(true);
        child.environment().put(ENDPOINT, "http://127.0.0.1:9");
        Process process = child.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(said).isZero();
    }

    /** Ends with status 0 when its environment has pushes traced. */
    static final class TracedProcess {
        private TracedProcess() {}

        public static void main(String[] args) {
            System.exit(Tracing.of(System.getenv()) == PushTracer.NONE ? 1 : 0);
        }
    }

    @Test
    void aProtocolThatNothingHereCanSendIsSaidAndNothingIsTraced() {
        try (LogLines log = LogLines.atWarn()) {
            PushTracer tracer =
                    Tracing.of(Map.of(ENDPOINT, "http://127.0.0.1:9", "OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"));

            assertThat(tracer).isSameAs(PushTracer.NONE);
            assertThat(log.lines())
                    .anyMatch(line -> line.startsWith("ERROR")
                            && line.contains(
                                    "pushes are not traced: found the OTLP protocol grpc, expected http/protobuf"));
        }
    }

    @Test
    void anAnswerWithoutEndIsNotReadToItsEnd() throws Exception {
        byte[] part = new byte[1024 * 1024];
        int most = 64;
        CompletableFuture<Integer> taken = new CompletableFuture<>();
        HttpServer collector = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        collector.createContext("/", exchange -> {
            int parts = 0;
            exchange.sendResponseHeaders(200, 0);
            try {
                for (; parts < most; parts++) {
                    exchange.getResponseBody().write(part);
                }
            } finally {
                taken.complete(parts);
            }
        });
        collector.start();
        try {
            PushTracer tracer = Tracing.of(Map.of(
                    ENDPOINT, "http://127.0.0.1:" + collector.getAddress().getPort()));
            BatchTrace batch = tracer.batch("mine");
            batch.begin(1, "default", "client.created", 1);
            batch.answered(1, null);
            tracer.close();

            assertThat(taken.get(1, TimeUnit.MINUTES)).isLessThan(most);
        } finally {
            collector.stop(0);
        }
    }

    @Test
    void asManyPushesAsThereIsRoomForAreKnownTheNewest() {
        RecentPushes recent = new RecentPushes();
        SpanContext context = SpanContext.create(
                "0af7651916cd43dd8448eb211c80319c",
                "b7ad6b7169203331",
                TraceFlags.getSampled(),
                TraceState.getDefault());

        for (long seq = 1; seq <= RecentPushes.SIZE + 1; seq++) {
            recent.add(seq, context);
        }

        assertThat(recent.received(1).isValid()).isFalse();
        assertThat(recent.received(2)).isEqualTo(context);
        assertThat(recent.received(RecentPushes.SIZE + 1)).isEqualTo(context);
        assertThat(recent.received(RecentPushes.SIZE + 2).isValid()).isFalse();
    }
}
