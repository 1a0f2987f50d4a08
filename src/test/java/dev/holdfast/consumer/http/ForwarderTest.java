package dev.holdfast.consumer.http;

import static dev.holdfast.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.holdfast.LogLines;
import dev.holdfast.consumer.ConsumerContext;
import dev.holdfast.consumer.RetryLater;
import dev.holdfast.push.PermanentFailure;
import dev.holdfast.push.PushRecord;
import dev.holdfast.push.RequestHead;
import dev.holdfast.push.TestPush;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.PemKeyCertOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One push, one real server, one answer. */
@Timeout(60)
class ForwarderTest {
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-11-20T06:00:00Z"));

    @TempDir
    Path directory;

    private final Vertx vertx = Vertx.vertx();
    private final List<String> paths = new CopyOnWriteArrayList<>();

    @AfterEach
    void stop() {
        vertx.close().await();
    }

    private int serve(HttpServerOptions options, Handler<HttpServerRequest> answer) {
        HttpServer server = vertx.createHttpServer(options).requestHandler(request -> {
            paths.add(request.path());
            answer.handle(request);
        });
        return server.listen(0, "127.0.0.1").await().actualPort();
    }

    private int serve(Handler<HttpServerRequest> answer) {
        return serve(new HttpServerOptions(), answer);
    }

    private Forwarder forwarder(String url, Map<String, Object> more) {
        return forwarder(url, 16, more);
    }

    private Forwarder forwarder(String url, int concurrency, Map<String, Object> more) {
        Map<String, Object> options = new HashMap<>(more);
        options.put("url", url);
        HttpOptions read = HttpOptions.read("forward", Duration.ofSeconds(10), List.of(), options, file -> {});
        return new Forwarder(
                vertx,
                read,
                new ConsumerContext("forward", Duration.ofSeconds(10), concurrency, "", Map.of(), 1),
                CLOCK);
    }

    private static @Nullable Throwable forward(Forwarder forwarder) {
        return catchThrowable(
                () -> forwarder.forward(TestPush.of(7, TestPush.BODY)).await());
    }

    /** What the attempt fails with; null when it doesn't. */
    private @Nullable Throwable forward(String url, Map<String, Object> more) {
        Forwarder forwarder = forwarder(url, more);
        try {
            return forward(forwarder);
        } finally {
            forwarder.close();
        }
    }

    private @Nullable Throwable forward(int port) {
        return forward("http://127.0.0.1:" + port + "/in", Map.of());
    }

    @Test
    void aLatePushIsMarkedAndNoOther() {
        List<String> marks = new CopyOnWriteArrayList<>();
        int port = serve(request -> {
            marks.add(String.valueOf(request.getHeader("Holdfast-Late")));
            request.response().end();
        });
        PushRecord record = TestPush.record(7, TestPush.BODY.getBytes(UTF_8), new RequestHead("abc", "", "", ""));
        Forwarder forwarder = forwarder("http://127.0.0.1:" + port, Map.of());

        forwarder.forward(TestPush.of(record, 1)).await();
        forwarder.forward(TestPush.of(record.lateAt(2_500), 1)).await();
        forwarder.close();

        assertThat(marks).containsExactly("null", "true");
    }

    /** Otherwise those beyond wait for a connection within the time of their attempt. */
    @Test
    void eachPushUnderWayHasAConnection() {
        List<HttpServerRequest> requests = new CopyOnWriteArrayList<>();
        int port = serve(request -> {
            requests.add(request);
            if (requests.size() == 40) {
                requests.forEach(one -> one.response().end());
            }
        });
        Forwarder forwarder = forwarder("http://127.0.0.1:" + port + "/in", 40, Map.of("request-timeout", "5s"));

        Future.join(IntStream.range(0, 40)
                        .mapToObj(push -> forwarder.forward(TestPush.of(push, TestPush.BODY)))
                        .toList())
                .await();
        forwarder.close();

        assertThat(requests).hasSize(40);
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 201, 202, 204, 299})
    void anyTwoHundredIsDone(int status) {
        int port = serve(request -> request.response().setStatusCode(status).end());

        assertThat(forward(port)).isNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {407, 408, 425, 429, 500, 503, 599})
    void anAnswerThatMayBeAnotherOneLaterIsNotPermanent(int status) {
        int port = serve(request -> request.response().setStatusCode(status).end());

        assertThat(forward(port))
                .isNotNull()
                .isNotInstanceOf(PermanentFailure.class)
                .hasMessageContaining("answered " + status);
    }

    @ParameterizedTest
    @ValueSource(ints = {304, 400, 401, 404, 409, 410, 413, 422, 499})
    void anyOtherAnswerIsPermanent(int status) {
        int port = serve(request -> request.response().setStatusCode(status).end());

        assertThat(forward(port))
                .isInstanceOf(PermanentFailure.class)
                .hasMessage("http://127.0.0.1:" + port + " answered " + status + ", expected 2xx");
    }

    /**
     * Vert.x knows 100 and 103 and takes any other for the answer, though one is still to come: as that of the next request on
     * the connection.
     */
    @ParameterizedTest
    @ValueSource(ints = {101, 102, 199})
    void anAnswerBeforeTheAnswerIsNoResult(int status) {
        Set<HttpConnection> answered = ConcurrentHashMap.newKeySet();
        int port = serve(request -> {
            boolean interim = answered.add(request.connection());
            request.response().setStatusCode(interim ? status : 200).end();
        });
        Forwarder forwarder = forwarder("http://127.0.0.1:" + port + "/in", 1, Map.of());

        for (int push = 1; push <= 2; push++) {
            assertThat(forward(forwarder))
                    .as("push " + push)
                    .isInstanceOf(RetryLater.class)
                    .hasMessageContaining(status + ", expected 2xx");
        }
        assertThat(answered).hasSize(2);
    }

    @Test
    void aRedirectIsNotFollowedAndPermanent() {
        int port = serve(request -> request.response()
                .setStatusCode(307)
                .putHeader("Location", "/elsewhere")
                .end());

        assertThat(forward(port)).isInstanceOf(PermanentFailure.class);
        assertThat(paths).containsExactly("/in");
    }

    @ParameterizedTest
    @CsvSource({
        "3, 3",
        "0, 0",
        "'Fri, 20 Nov 2026 06:01:00 GMT', 60",
        "'Friday, 20-Nov-26 06:01:00 GMT', 60",
        "'Fri, 20 Nov 2026 05:00:00 GMT', 0",
        "soon, 0",
        "-3, 0",
        "99999999999, 0",
        "'', 0",
        "'some seventy characters of anything but a date, which a date never needs', 0"
    })
    void whatAReceiverAsksForIsReadInSecondsAndAsADate(String retryAfter, long seconds) {
        int port = serve(request -> request.response()
                .setStatusCode(503)
                .putHeader("Retry-After", retryAfter)
                .end());

        assertThat(forward(port))
                .isInstanceOfSatisfying(
                        RetryLater.class,
                        failure -> assertThat(failure.atLeast()).isEqualTo(Duration.ofSeconds(seconds)));
    }

    @Test
    void aHugeAnswerIsNotReadToItsEndAndItsStatusCounts() throws Exception {
        CompletableFuture<Void> brokenOff = new CompletableFuture<>();
        int port = serve(request -> {
            request.response().setChunked(true).setStatusCode(202);
            request.connection().closeHandler(closed -> brokenOff.complete(null));
            vertx.setPeriodic(1, timer -> {
                if (request.response().closed()) {
                    vertx.cancelTimer(timer);
                } else if (!request.response().writeQueueFull()) {
                    request.response().write(Buffer.buffer(new byte[65_536]));
                }
            });
        });

        assertThat(forward(port)).isNull();
        brokenOff.get(10, TimeUnit.SECONDS);
    }

    @Test
    void anAnswerWhoseBodyNeverEndsCountsByItsStatus() {
        int port = serve(request ->
                request.response().setStatusCode(500).setChunked(true).write("and then"));

        // Again where the machine was so busy that not even the status came in time.
        eventually(() -> assertThat(forward("http://127.0.0.1:" + port + "/in", Map.of("request-timeout", "500ms")))
                .isInstanceOf(RetryLater.class)
                .hasMessageContaining("answered 500"));
    }

    @Test
    void aSlowAnswerIsWaitedFor() {
        int port = serve(request -> vertx.setTimer(700, timer -> {
            request.response().setChunked(true).write("slow");
            vertx.setTimer(300, later -> request.response().end("ly"));
        }));

        assertThat(forward(port)).isNull();
    }

    @Test
    void anAddressAndLettersThatNoUrlHasAreUnderstood() {
        int port = vertx.createHttpServer()
                .requestHandler(request -> {
                    paths.add(request.path());
                    request.response().end();
                })
                .listen(0, "::1")
                .await()
                .actualPort();

        assertThat(forward("http://[::1]:" + port + "/zoë", Map.of())).isNull();
        assertThat(paths).containsExactly("/zo%C3%AB");
    }

    @Test
    void noRequestOutlivesItsAttempt() throws Exception {
        CompletableFuture<Void> reset = new CompletableFuture<>();
        int port = serve(request -> request.connection().closeHandler(closed -> reset.complete(null)));

        // Again where the machine was so busy that it did not even arrive in time.
        eventually(() -> {
            assertThat(forward("http://127.0.0.1:" + port + "/in", Map.of("request-timeout", "500ms")))
                    .isInstanceOf(RetryLater.class)
                    .hasMessageEndingWith("no answer within 500 ms");
            assertThat(paths).isNotEmpty();
        });
        reset.get(10, TimeUnit.SECONDS);
    }

    /** Some of those that wait get the one connection, as the attempt before gives it up, in the moment in which their own time is over. */
    @Test
    void anAttemptThatEndsAsItGetsItsConnectionIsNoErrorOfVertxs() {
        int port = serve(request -> {});
        try (LogLines log = LogLines.atWarn()) {
            Forwarder forwarder = forwarder("http://127.0.0.1:" + port + "/in", 1, Map.of("request-timeout", "50ms"));
            List<Future<Void>> attempts = IntStream.range(0, 500)
                    .mapToObj(push -> forwarder.forward(TestPush.of(push, TestPush.BODY)))
                    .toList();

            assertThat(catchThrowable(() -> Future.join(attempts).await())).isInstanceOf(RetryLater.class);
            forwarder.close();
            assertThat(log.lines()).noneMatch(line -> line.startsWith("ERROR"));
        }
    }

    @Test
    void userAndPasswordGoIntoAHeaderAndIntoNoMessage() {
        CompletableFuture<String> authorization = new CompletableFuture<>();
        int port = serve(request -> {
            authorization.complete(request.getHeader("Authorization"));
            request.response().setStatusCode(500).end();
        });

        Throwable answered = forward("http://us%20er:hidden@127.0.0.1:" + port + "/hidden?key=hidden", Map.of());
        Throwable refused = forward("http://user:hidden@127.0.0.1:1/hidden?key=hidden", Map.of());

        assertThat(authorization).isCompletedWithValue("Basic dXMgZXI6aGlkZGVu");
        assertThat(answered)
                .isNotNull()
                .satisfies(failure -> assertThat(failure.toString()).doesNotContain("hidden"));
        assertThat(refused)
                .isInstanceOf(RetryLater.class)
                .satisfies(failure -> assertThat(failure.toString()).doesNotContain("hidden"));
    }

    @Test
    void whatIsTrustedHasToHaveACertificateInIt() throws Exception {
        Path key = Certificate.make(directory).key();

        for (Path trust : List.of(key, directory, directory.resolve("missing"))) {
            Map<String, Object> options = Map.of("url", "https://localhost/", "trust", trust.toString());
            assertThat(catchThrowable(
                            () -> HttpOptions.read("forward", Duration.ofSeconds(10), List.of(), options, file -> {})))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("options.trust: found " + trust + ", which ");
        }
    }

    /** Where it could be HTTP/2 too. */
    @Test
    void http11IsSpokenToWhoIsTrusted() throws Exception {
        Certificate certificate = Certificate.make(directory);
        CompletableFuture<HttpVersion> version = new CompletableFuture<>();
        HttpServerOptions options = new HttpServerOptions()
                .setSsl(true)
                .setUseAlpn(true)
                .setKeyCertOptions(new PemKeyCertOptions()
                        .addCertPath(certificate.chain().toString())
                        .addKeyPath(certificate.key().toString()));
        int port = serve(options, request -> {
            version.complete(request.version());
            request.response().end();
        });
        String url = "https://localhost:" + port + "/in";

        assertThat(forward(url, Map.of("trust", certificate.chain().toString())))
                .isNull();
        assertThat(version).isCompletedWithValue(HttpVersion.HTTP_1_1);
        assertThat(forward(url, Map.of())).isInstanceOf(RetryLater.class);
    }
}
