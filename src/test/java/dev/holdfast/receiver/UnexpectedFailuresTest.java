package dev.holdfast.receiver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ConfigLoader;
import dev.holdfast.config.HoldfastConfig;
import dev.holdfast.journal.BrokenJournal;
import dev.holdfast.quarantine.Quarantine;
import dev.holdfast.signature.SignatureScheme;
import dev.holdfast.tracing.PushTrace;
import dev.holdfast.tracing.PushTracer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever fails in a request, it is answered, and counted by cause. */
class UnexpectedFailuresTest {
    private static final String SECRET = "0123456789abcdef";

    @TempDir
    private Path directory;

    private final Vertx vertx = Vertx.vertx();
    private final HttpClient client = HttpClient.newHttpClient();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final List<String> counted = new CopyOnWriteArrayList<>();
    private final AtomicReference<@Nullable Error> next = new AtomicReference<>();
    private BrokenJournal journal;
    private Quarantine quarantine;
    private Receiver receiver;

    @BeforeEach
    void start() throws IOException {
        Path file = Files.writeString(
                directory.resolve("holdfast.yaml"),
                "receiver: {host: 127.0.0.1, port: 0, endpoints: [{name: a, path: /a, secrets: [\"" + SECRET
                        + "\"]}]}");
        HoldfastConfig config = ConfigLoader.read(file, Map.of()).config();
        journal = BrokenJournal.open(directory.resolve("data"), registry);
        quarantine = Quarantine.open(directory.resolve("data"), config.quarantine(), 0, registry);
        receiver = new Receiver(
                config.receiver(),
                new Endpoints(config.receiver().endpoints()),
                journal.journal(),
                quarantine,
                registry,
                Clock.systemUTC(),
                config.journal().syncTimeout(),
                (cause, endpoint) -> {
                    fail();
                    counted.add(cause);
                },
                new PushTracer() {
                    @Override
                    public PushTrace received(
                            String endpoint, String event, long since, UnaryOperator<String> headers) {
                        fail();
                        return PushTrace.NONE;
                    }
                });
        ReceiverVerticle.deploy(vertx, receiver).await();
    }

    /** What is to go wrong next does. */
    private void fail() {
        Error failure = next.getAndSet(null);
        if (failure != null) {
            throw failure;
        }
    }

    @AfterEach
    void stop() {
        vertx.close().await();
        journal.journal().close();
        journal.store().close();
        quarantine.close();
    }

    private int post(String path) throws IOException, InterruptedException {
        byte[] body = "{}".getBytes(UTF_8);
        return client.send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + receiver.port() + path))
                                .header("Service-Signature", SignatureScheme.sign(body, SECRET.getBytes(UTF_8)))
                                .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                                .build(),
                        HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    private double shortages() {
        return registry.get("holdfast.receiver.memory.shortages").counter().count();
    }

    @Test
    void memoryThatRunsOutWithAHeadIsAnswered503AndCounted() throws IOException, InterruptedException {
        next.set(new OutOfMemoryError("made up"));

        assertThat(post("/nowhere")).isEqualTo(503);
        assertThat(counted).containsExactly("memory");
        assertThat(shortages()).isEqualTo(1);
        assertThat(post("/a")).isEqualTo(200);
    }

    @Test
    void anythingElseWithAHeadIsAnswered500AndCounted() throws IOException, InterruptedException {
        next.set(new AssertionError("made up"));

        assertThat(post("/nowhere")).isEqualTo(500);
        assertThat(counted).containsExactly("internal");
        assertThat(shortages()).isZero();
        assertThat(post("/a")).isEqualTo(200);
    }

    @Test
    void soIsWhatGoesWrongWithABody() throws IOException, InterruptedException {
        next.set(new AssertionError("made up"));
        assertThat(post("/a")).isEqualTo(500);
        next.set(new OutOfMemoryError("made up"));
        assertThat(post("/a")).isEqualTo(503);

        assertThat(counted).containsExactly("internal", "memory");
        assertThat(receiver.inFlight.bytes()).isZero();
        assertThat(post("/a")).isEqualTo(200);
    }
}
