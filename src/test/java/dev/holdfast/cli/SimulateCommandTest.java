package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.Eventually;
import dev.holdfast.Holdfast;
import dev.holdfast.JavaProcess;
import dev.holdfast.simulator.RecordingReceiver;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
final class SimulateCommandTest {
    private static final String SECRET = "never-to-be-seen";

    @TempDir
    Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private Vertx vertx;

    @BeforeEach
    void start() {
        vertx = Vertx.vertx();
    }

    @AfterEach
    void stop() {
        assertThat(out + "\n" + err).doesNotContain(SECRET);
        vertx.close().await();
    }

    @Test
    void itEndsWith0WhenEveryPushGot200() {
        try (RecordingReceiver receiver = RecordingReceiver.answering(vertx, 200)) {
            int status = simulate(receiver, "--count", "16", "--rate", "1000");

            assertThat(status).isZero();
            assertThat(receiver.count()).isEqualTo(16);
            assertThat(out.toString())
                    .containsPattern("sent +16 ")
                    .containsPattern("answered 200 +16")
                    .containsPattern("no answer +0")
                    .containsPattern("p50 .*p90 .*p99 .*p99.9 .*max ");
        }
    }

    @Test
    void aRefusedWrongSignatureIsNoFailure() {
        try (RecordingReceiver receiver = RecordingReceiver.answering(vertx, 401)) {
            int status = simulate(
                    receiver, "--count", "5", "--rate", "1000", "--fault", "wrong-signature", "--fault-rate", "1");

            assertThat(status).isZero();
            assertThat(out.toString()).containsPattern("wrong-signature +5 +401: 5");
        }
    }

    @Test
    void anAcceptedWrongSignatureIsAFailure() {
        try (RecordingReceiver receiver = RecordingReceiver.answering(vertx, 200)) {
            int status = simulate(
                    receiver, "--count", "5", "--rate", "1000", "--fault", "wrong-signature", "--fault-rate", "1");

            assertThat(status).isEqualTo(1);
            assertThat(out.toString()).contains("5 pushes with a wrong signature got a 200");
        }
    }

    @Test
    void theDurationEndsIt() {
        try (RecordingReceiver receiver = RecordingReceiver.answering(vertx, 200)) {
            assertThat(simulate(receiver, "--duration", "500ms", "--rate", "100"))
                    .isZero();
            assertThat(receiver.count()).isEqualTo(50);
        }
    }

    @Test
    void theSummaryAsJsonHoldsTheSame() throws IOException {
        try (RecordingReceiver receiver = RecordingReceiver.answering(vertx, 500)) {
            assertThat(simulate(receiver, "--count", "4", "--rate", "1000", "--output", "json"))
                    .isEqualTo(1);

            JsonNode summary = new ObjectMapper().readTree(out.toString());
            assertThat(summary.get("sent").intValue()).isEqualTo(4);
            assertThat(summary.get("missed").intValue()).isEqualTo(4);
            assertThat(summary.at("/statuses/500").intValue()).isEqualTo(4);
            assertThat(summary.at("/kinds/healthy/sent").intValue()).isEqualTo(4);
            assertThat(summary.at("/latencyMillis/p99.9").isNumber()).isTrue();
        }
    }

    @Test
    void theSecretCanComeFromAFileWithATrailingNewline() throws IOException {
        Path file = Files.writeString(directory.resolve("secret"), SECRET + "\n");
        try (RecordingReceiver receiver = RecordingReceiver.answering(vertx, 200)) {
            int status = execute("--to", receiver.url().toString(), "--secret-file", file.toString(), "--count", "1");

            assertThat(status).isZero();
            assertThat(receiver.signedWith(SECRET)).isEqualTo(1);
        }
    }

    @Test
    void aSecretThatIsNowhereIsAUsageError() {
        int status = execute("--to", "http://127.0.0.1:1/", "--secret-env", "HOLDFAST_NO_SUCH_VARIABLE");

        assertThat(status).isEqualTo(2);
        assertThat(err.toString()).contains("found no environment variable HOLDFAST_NO_SUCH_VARIABLE");
    }

    @Test
    void whatToDoIsSaidBesideWhatWentWrong() {
        int status = execute("--to", "http://127.0.0.1:1/", "--secret", SECRET, "--count", "1");

        assertThat(status).isEqualTo(1);
        assertThat(out.toString())
                .contains("1 push owed a 200 did not get it.")
                .contains("refused: nobody listens there. Is the gateway running");
        try (RecordingReceiver receiver = RecordingReceiver.answering(vertx, 401)) {
            assertThat(simulate(receiver, "--count", "2")).isEqualTo(1);
            assertThat(out.toString())
                    .containsPattern("answered other +2 +401: 2")
                    .contains("2 pushes owed a 200 did not get it.")
                    .contains("401: the signature doesn't match. The secret has to be");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "--rate, 0, rate: 0.0 (expected: above 0",
        "--duration, 10, expected: a duration such as 500ms",
        "--body-size, 3QB, expected: a size up to 1GiB",
        "--fault, nonsense, 'found nonsense, expected one of [wrong-signature, duplicate, broken-json,'",
        "--token-fault, nonsense, 'found nonsense, expected one of [slow, status-500,'",
        "--fault-rate, 2, fault rate: 2.0 (expected: 0 to 1)",
        "--connections, 0, connections: 0 (expected: at least 1)",
        "--events, conversation.opened, --events: [conversation.opened] (expected: any of",
        "--to, ftp://127.0.0.1/x, expected: http://HOST",
        "--to, nonsense, expected: http://HOST",
        "--to, http://127.0.0.1:99999/, expected: http://HOST",
        "--duration, 200000d, at most 365d",
        "--timeout, 200000d, at most 365d",
        "--signature-header, a b, --signature-header: a b (expected: a header's name",
        "--signature-header, Content-Length, --signature-header: Content-Length (expected: a header's name",
        "--serve-tokens, 99999, --serve-tokens: 99999 (expected: a port from 0 to 65535)"
    })
    void aBadOptionIsAUsageErrorThatSaysWhatIsExpected(String option, String value, String message) {
        int status = execute("--to", "http://127.0.0.1:1/", "--secret", SECRET, "--count", "1", option, value);

        assertThat(status).isEqualTo(2);
        assertThat(err.toString()).contains(message);
    }

    @Test
    void anInterruptedSimulationPrintsItsSummary() throws IOException, InterruptedException {
        try (RecordingReceiver receiver = RecordingReceiver.answering(vertx, 200)) {
            Path output = directory.resolve("output");
            Process child = startedApart(receiver, output);
            try {
                awaitPushes(receiver, 10);
                child.destroy();
                assertThat(child.waitFor(20, TimeUnit.SECONDS)).isTrue();
            } finally {
                child.destroyForcibly();
            }
            assertThat(Files.readString(output, StandardCharsets.UTF_8))
                    .containsPattern("answered 200 +[1-9]")
                    .contains("Every push that is owed a 200 got it.")
                    .doesNotContain(SECRET);
        }
    }

    private static Process startedApart(RecordingReceiver receiver, Path output) throws IOException {
        ProcessBuilder builder = JavaProcess.of(
                        Holdfast.class, "simulate", "--to", receiver.url().toString(), "--rate", "100")
                .redirectOutput(output.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("HOLDFAST_SECRET", SECRET);
        return builder.start();
    }

    private static void awaitPushes(RecordingReceiver receiver, int count) {
        Eventually.until(() -> receiver.count() >= count);
    }

    private int simulate(RecordingReceiver receiver, String... options) {
        List<String> all = new ArrayList<>(List.of("--to", receiver.url().toString(), "--secret", SECRET));
        all.addAll(List.of(options));
        return execute(all.toArray(String[]::new));
    }

    private int execute(String... options) {
        CommandLineRun run = CommandLineRun.of(
                "",
                Map.of(),
                Stream.concat(Stream.of("simulate"), Stream.of(options)).toArray(String[]::new));
        out.append(run.out());
        err.append(run.err());
        return run.status();
    }
}
