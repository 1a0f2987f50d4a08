package dev.holdfast.receiver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.tracing.PushTrace;
import dev.holdfast.tracing.PushTracer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
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
    @TempDir
    private Path directory;

    private final HttpClient client = HttpClient.newHttpClient();
    private final List<String> counted = new CopyOnWriteArrayList<>();
    private final AtomicReference<@Nullable Error> next = new AtomicReference<>();
    private ReceiverUnderTest test;

    @BeforeEach
    void start() throws IOException {
        test = new ReceiverUnderTest(
                directory,
                "",
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
        test.close();
    }

    private int post(String path) throws IOException, InterruptedException {
        byte[] body = "{}".getBytes(UTF_8);
        return client.send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + test.receiver.port() + path))
                                .header("Service-Signature", test.sign(body))
                                .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                                .build(),
                        HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    private double shortages() {
        return test.registry.get("holdfast.receiver.memory.shortages").counter().count();
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
        assertThat(test.receiver.inFlight.bytes()).isZero();
        assertThat(post("/a")).isEqualTo(200);
    }
}
