package dev.holdfast.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.signature.SignatureScheme;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** One server taking part, running or paused, and how many pushes it has acknowledged in all. */
final class Contender implements AutoCloseable {
    private static final Duration START = Duration.ofMinutes(1);
    private static final String PROFILER = "-agentpath:";

    private final String title;
    private final Children children;
    private final List<String> command;
    private final Path directory;
    private final int port;
    private final LocalHttp http;
    private final @Nullable GatewayMetrics metrics;
    private ServerProcess process;
    private final List<Round> rounds = new ArrayList<>();
    private long acknowledged;

    Contender(
            String title,
            Children children,
            List<String> command,
            Path directory,
            int port,
            LocalHttp http,
            @Nullable GatewayMetrics metrics)
            throws IOException {
        this.title = title;
        this.children = children;
        this.command = command;
        this.directory = directory;
        this.port = port;
        this.http = http;
        this.metrics = metrics;
        this.process = new ServerProcess(children, command, directory);
    }

    String title() {
        return title;
    }

    int port() {
        return port;
    }

    ServerProcess process() {
        return process;
    }

    @Nullable
    GatewayMetrics metrics() {
        return metrics;
    }

    /** Pushes this server has answered {@code 200} since the harness began. */
    long acknowledged() {
        return acknowledged;
    }

    /** What was measured, warm-up left out; in order. */
    List<Round> rounds() {
        return rounds;
    }

    void acknowledge(long pushes) {
        acknowledged += pushes;
    }

    /** Blocks until a signed push is answered {@code 200} and a gateway says that it is ready. */
    void awaitReady() {
        var unused = await("ready", () -> (metrics == null || metrics.ready()) && probe() == 200);
    }

    /** Blocks until a signed push is answered {@code 200}; how long that took. */
    Duration awaitAccepting() {
        return await("accepting", () -> probe() == 200);
    }

    private Duration await(String what, BooleanSupplier condition) {
        return Poll.until(START, title + " to be " + what, () -> {
            process.mustLive();
            try {
                return condition.getAsBoolean();
            } catch (UncheckedIOException notListeningYet) {
                return false;
            }
        });
    }

    private int probe() {
        String body =
                "{\"id\":\"sub_probe_0\",\"event\":\"client.updated\",\"enterprise_token\":\"probe\",\"created_at\":0,"
                        + "\"client\":{\"serial\":\"" + UUID.randomUUID() + "\"}}";
        byte[] secret = BenchSettings.SECRET.getBytes(UTF_8);
        int status = http.push(port, body, SignatureScheme.sign(body.getBytes(UTF_8), secret));
        if (status == 200) {
            acknowledge(1);
        }
        return status;
    }

    /** A server that is meant to verify must refuse what is signed wrongly; one that doesn't makes the figures void. */
    void mustRefuseForgeries() {
        int status = http.push(port, "{\"event\":\"client.updated\"}", "0".repeat(40));
        if (status != 401) {
            throw new IllegalStateException(title + " answered " + status + " to a wrong signature, expected 401");
        }
    }

    /** Stops the server and starts it again. */
    void restart() throws IOException {
        process.close();
        begin();
        awaitReady();
    }

    /** Kills the server and starts it again; from then to the first push that is answered {@code 200}. */
    Duration kill() throws IOException {
        process.kill();
        begin();
        return awaitAccepting();
    }

    /** Without the profiler, which would write over what it found before. */
    private void begin() throws IOException {
        List<String> plain =
                command.stream().filter(flag -> !flag.startsWith(PROFILER)).toList();
        process = new ServerProcess(children, plain, directory);
    }

    /** What a gateway has on disk. */
    Path data() {
        return directory.resolve("data");
    }

    @Override
    public void close() {
        process.close();
    }
}
