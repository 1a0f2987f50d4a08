package dev.holdfast.management;

import static dev.holdfast.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LogLines;
import dev.holdfast.ManagementPort;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Where answers are written out, and what the log says of a request that failed. */
@Timeout(60)
class ApiAnswersTest {
    private final Vertx vertx = Vertx.vertx();
    private final AtomicBoolean onEventLoop = new AtomicBoolean();

    /** What an answer is made of. It notes where it is written out. */
    private final class Fields extends LinkedHashMap<String, Object> {
        private static final long serialVersionUID = 1L;

        @Override
        public Set<Map.Entry<String, Object>> entrySet() {
            onEventLoop.compareAndSet(false, Context.isOnEventLoopThread());
            return super.entrySet();
        }
    }

    @AfterEach
    void stop() {
        vertx.close().await();
    }

    private HttpResponse<String> get(ApiPart part, String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + ManagementPort.open(vertx, null, part) + "/api/v1" + path);
        return HttpClient.newHttpClient().send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }

    /** An answer may have a push of many MiB in it, and an event loop of the port is one of the receiver's. */
    @Test
    void anAnswerIsWrittenOutWhereNoPushWaitsForIt() throws Exception {
        Fields fields = new Fields();
        fields.put("seq", 7);

        HttpResponse<String> answer =
                get(routes -> routes.get("/one", none -> Future.succeededFuture(new JsonObject(fields))), "/one");

        assertThat(answer.body()).isEqualTo("{\"seq\":7}\n");
        assertThat(onEventLoop).isFalse();
    }

    @Test
    void theLineOfAFailureIsBoundedAndNamesOneThatHasNoMessage() throws Exception {
        ApiPart failing = routes -> routes.get("/fail/*", none -> {
            throw new IllegalStateException();
        });
        try (LogLines log = LogLines.atWarn()) {
            assertThat(get(failing, "/fail/" + "a".repeat(3_000)).statusCode()).isEqualTo(500);

            // A busy machine has warnings of its own.
            assertThat(log.lines())
                    .filteredOn(line -> line.contains(ApiAnswers.class.getName()))
                    .singleElement()
                    .asString()
                    .contains("GET /api/v1/fail/aaa", "failed: IllegalStateException")
                    .hasSizeLessThan(500);
        }
    }

    /** Two searches have all the threads there are. */
    @Test
    void aSearchWhoseClientHasGoneIsNotBegun() throws Exception {
        CountDownLatch begun = new CountDownLatch(2);
        CountDownLatch release = new CountDownLatch(1);
        CompletableFuture<RoutingContext> gone = new CompletableFuture<>();
        List<String> searched = new CopyOnWriteArrayList<>();
        int port = ManagementPort.open(
                vertx,
                null,
                routes -> routes.get("/search", List.of("by"), query -> {
                    String by = query.text("by");
                    if ("gone".equals(by)) {
                        gone.complete(query.ctx());
                    }
                    return query.searching(() -> {
                        searched.add(by);
                        begun.countDown();
                        release.await();
                        return new JsonObject();
                    });
                }));
        try (Socket first = ask(port, "/search?by=first");
                Socket second = ask(port, "/search?by=second")) {
            begun.await();
            ask(port, "/search?by=gone").close();
            eventually(() -> assertThat(gone.join().response().closed()).isTrue());
            try (Socket last = ask(port, "/search?by=last")) {
                release.countDown();
                assertThat(last.getInputStream().read()).isPositive();
            }
            assertThat(first.isConnected() && second.isConnected()).isTrue();
        }

        assertThat(searched).containsExactlyInAnyOrder("first", "second", "last");
    }

    /** Each takes a multiple of a large push in memory until its client has read it. */
    @Test
    void noMoreThanTwoAnswersWithABodyAreMadeAtATime() throws Exception {
        List<Promise<JsonObject>> begun = new CopyOnWriteArrayList<>();
        int port = ManagementPort.open(vertx, null, routes -> {
            routes.get("/small", none -> Future.succeededFuture(new JsonObject()));
            routes.getLarge("/large", none -> {
                begun.add(Promise.promise());
                return begun.get(begun.size() - 1).future();
            });
        });
        try (Socket first = ask(port, "/large");
                Socket second = ask(port, "/large");
                Socket third = ask(port, "/large")) {
            eventually(() -> assertThat(begun).hasSize(2));
            // Others don't wait, and the third has come before them.
            for (int i = 0; i < 2; i++) {
                try (Socket other = ask(port, "/small")) {
                    assertThat(other.getInputStream().read()).isPositive();
                }
            }
            assertThat(begun).hasSize(2);

            begun.get(0).complete(new JsonObject());

            eventually(() -> assertThat(begun).hasSize(3));
            assertThat(first.isConnected() && second.isConnected() && third.isConnected())
                    .isTrue();
        }
    }

    private static Socket ask(int port, String path) throws IOException {
        Socket socket = new Socket("127.0.0.1", port);
        String request = "GET /api/v1" + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }
}
