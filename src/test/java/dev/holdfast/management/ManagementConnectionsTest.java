package dev.holdfast.management;

import static dev.holdfast.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which connections of the management port are ended, at a port that takes four and with a clock that the test turns. */
@Timeout(60)
class ManagementConnectionsTest {
    /** More than the system takes of an answer that nobody reads. */
    private static final int LARGE = 32 << 20;

    private final Vertx vertx = Vertx.vertx();
    private final Context context = vertx.getOrCreateContext();
    private final AtomicLong nanos = new AtomicLong();
    private final ManagementConnections connections = new ManagementConnections(4, nanos::get);
    private final List<RoutingContext> unanswered = new CopyOnWriteArrayList<>();
    private final CountDownLatch large = new CountDownLatch(1);
    private int port;

    /** A client that does what it likes. */
    private final class Client implements AutoCloseable {
        private final Socket socket;
        private final BufferedReader in;

        Client() throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setSoTimeout(30_000);
            in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
        }

        Client send(String text) throws IOException {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
            return this;
        }

        Client get(String path) throws IOException {
            return send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
        }

        /** Whether what was asked is answered. */
        boolean isAnswered() throws IOException {
            boolean found = "HTTP/1.1 200 OK".equals(in.readLine());
            while (found && !in.readLine().isEmpty()) {
                // Another header, and no body.
            }
            return found;
        }

        boolean isEnded() throws IOException {
            return in.read() < 0;
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    @BeforeEach
    void listen() {
        Router router = Router.router(vertx);
        router.route().handler(connections::used);
        router.route("/later").handler(unanswered::add);
        router.route("/").handler(ctx -> ctx.response().end());
        router.route("/large").handler(ctx -> {
            ctx.response().end(Buffer.buffer(new byte[LARGE]));
            large.countDown();
        });
        CompletableFuture<Integer> listening = new CompletableFuture<>();
        context.runOnContext(v -> vertx.createHttpServer(new HttpServerOptions().setHttp2ClearTextEnabled(false))
                .connectionHandler(connections::opened)
                .requestHandler(router)
                .listen(0, "127.0.0.1")
                .onComplete(server -> listening.complete(server.actualPort()), listening::completeExceptionally));
        port = listening.join();
    }

    @AfterEach
    void stop() {
        vertx.close().await();
    }

    private void sweepAfter(int seconds) {
        pass(seconds);
        onLoop(connections::sweep);
    }

    /** When the loop has ended what it does: a client has its answer before the connection knows that it has. */
    private void pass(int seconds) {
        onLoop(() -> {});
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
    }

    private void onLoop(Runnable task) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        context.runOnContext(v -> {
            task.run();
            done.complete(null);
        });
        done.join();
    }

    /** One that has had an answer, a second after everything before. */
    private Client answered() throws IOException {
        pass(1);
        Client client = new Client().get("/");
        assertThat(client.isAnswered()).isTrue();
        return client;
    }

    @Test
    void whoHasAskedNothingForLongestMakesPlaceForTheNewest() throws Exception {
        try (Client first = answered();
                Client second = answered();
                Client third = answered()) {
            pass(1);
            assertThat(first.get("/").isAnswered()).isTrue();

            try (Client newest = answered()) {
                assertThat(second.isEnded()).isTrue();
                assertThat(first.get("/").isAnswered()).isTrue();
                assertThat(third.get("/").isAnswered()).isTrue();
                assertThat(newest.get("/").isAnswered()).isTrue();
            }
        }
    }

    @Test
    void aRequestUnderWayKeepsItsPlaceAndOneWhoseBodyIsMissingDoesNot() throws Exception {
        try (Client waiting = new Client().get("/later")) {
            eventually(() -> assertThat(unanswered).hasSize(1));
            pass(1);
            try (Client slow =
                    new Client().send("POST /later HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nx")) {
                eventually(() -> assertThat(unanswered).hasSize(2));
                try (Client idle = answered();
                        Client newest = answered()) {
                    assertThat(slow.isEnded()).isTrue();
                    assertThat(idle.get("/").isAnswered()).isTrue();
                    assertThat(newest.get("/").isAnswered()).isTrue();
                }
                sweepAfter(1_000);
                context.runOnContext(v -> unanswered.get(0).response().end());
                assertThat(waiting.isAnswered()).isTrue();
                sweepAfter(119);
                assertThat(waiting.get("/").isAnswered()).isTrue();
            }
        }
    }

    private static final String HALF_A_HEAD = "GET / HTTP/1.1\r\nHost: local";

    @Test
    void aHeadHasTenSeconds() throws Exception {
        try (Client inTime = new Client().send(HALF_A_HEAD);
                Client afterIt = answered()) {
            sweepAfter(8);
            assertThat(inTime.send("host\r\n\r\n").isAnswered()).isTrue();
            assertThat(afterIt.get("/").isAnswered()).isTrue();
        }
    }

    @Test
    void aHeadThatTakesLongerEndsItsConnectionAlone() throws Exception {
        try (Client late = new Client().send(HALF_A_HEAD);
                Client another = answered()) {
            sweepAfter(11);

            assertThat(late.isEnded()).isTrue();
            assertThat(another.get("/").isAnswered()).isTrue();
        }
    }

    @Test
    void anAnsweredClientHasTwoMinutesForItsNextHead() throws Exception {
        try (Client client = answered()) {
            sweepAfter(119);
            assertThat(client.get("/").isAnswered()).isTrue();

            client.send("GET / HTTP");
            sweepAfter(121);

            assertThat(client.isEnded()).isTrue();
        }
    }

    @Test
    void aBodyHasTenSecondsAlsoBehindAnAnswer() throws Exception {
        try (Client client = answered()) {
            client.send("POST /later HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nx");
            eventually(() -> assertThat(unanswered).hasSize(1));
            sweepAfter(11);

            assertThat(client.isEnded()).isTrue();
        }
    }

    @Test
    void oneThatDoesNotReadItsAnswerIsEndedAtOnce() throws Exception {
        try (Client client = new Client().get("/large")) {
            large.await();
            sweepAfter(121);

            assertThat(client.socket.getInputStream().transferTo(OutputStream.nullOutputStream()))
                    .isLessThan(LARGE);
        }
    }
}
