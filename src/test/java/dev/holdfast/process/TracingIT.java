package dev.holdfast.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Collector;
import dev.holdfast.Collector.Exported;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Traces of the packaged jar, as the environment of its process asks for them. */
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
final class TracingIT {
    @TempDir
    Path directory;

    private final PushClient client = new PushClient();
    private Installation installation;

    @BeforeEach
    void install() throws IOException {
        installation = new Installation(directory);
        installation.configureAsShipped();
        installation.edit("drain-delay: 5s", "drain-delay: 0s");
        installation.set("HOLDFAST_LOG_LEVEL", "debug");
    }

    @AfterEach
    void remove() {
        installation.close();
    }

    /** One push, delivered. */
    private void run() throws Exception {
        Child gateway = installation.running();
        assertThat(client.push(gateway, 0).statusCode()).isEqualTo(200);
        gateway.awaitLog("conversations: conversation.created seq=1 endpoint=default");
        gateway.awaitLog("classes are there");
        gateway.terminate();
    }

    @Test
    void theJarExportsAPushsTrace() throws Exception {
        try (Collector collector = new Collector()) {
            collector.environment().forEach(installation::set);
            run();

            assertThat(collector.spans()).extracting(Exported::name).contains("receive", "commit", "attempt");
            assertThat(collector.spans().stream().map(Exported::traceId).distinct())
                    .hasSize(1);
        }
    }

    @Test
    void withoutTheVariablesNoClassOfOpenTelemetryIsLoaded() throws Exception {
        Path loaded = installation.path("loaded.txt");
        installation.option("-Xlog:class+load:file=" + loaded);
        installation.option("-XX:+BytecodeVerificationRemote");
        run();

        assertThat(Files.readAllLines(loaded))
                .anyMatch(line -> line.contains("dev.holdfast.tracing.PushTracer"))
                .noneMatch(line -> line.contains("io.opentelemetry."));
    }
}
