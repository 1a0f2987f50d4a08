package dev.holdfast.receiver;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.config.ConfigLoader;
import dev.holdfast.config.ReceiverConfig;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DeadlinesTest {
    private static final long SECOND = 1_000_000_000L;

    @TempDir
    Path directory;

    private final AtomicLong nanos = new AtomicLong();
    private ReceiverConfig config;
    private Deadlines deadlines;
    private SlowBody body;

    private static final class SlowBody implements Deadlines.Timed {
        private final Peer peer;
        private @Nullable Refusal late;
        private @Nullable Error failure;

        SlowBody(Peer peer) {
            this.peer = peer;
        }

        @Override
        public Peer peer() {
            return peer;
        }

        @Override
        public void timeOut(Refusal late) {
            this.late = late;
            if (failure != null) {
                throw failure;
            }
        }
    }

    @BeforeEach
    void start() throws IOException {
        Path file = Files.writeString(
                directory.resolve("holdfast.yaml"),
                "receiver: {body-timeout: 25s, endpoints: [{name: a, path: /a, secrets: [\"0123456789abcdef\"]}]}");
        config = ConfigLoader.read(file, Map.of()).config().receiver();
        deadlines = new Deadlines(config, nanos::get);
        body = new SlowBody(Peers.at("1.1.1.1"));
        deadlines.bodyStarted(body);
    }

    private boolean timedOutAfter(long seconds) {
        sweepFor(seconds, false);
        return body.late != null;
    }

    private void sweepFor(long seconds, boolean crowded) {
        deadlines.sweep(crowded);
        for (int i = 0; i < seconds * 10; i++) {
            nanos.addAndGet(SECOND / 10);
            deadlines.sweep(crowded);
        }
    }

    /** On the loop of its connections, as a receiver does. */
    private void sweepOn(Vertx vertx, long seconds) {
        CompletableFuture.runAsync(() -> sweepFor(seconds, false), sweeps -> vertx.runOnContext(v -> sweeps.run()))
                .join();
    }

    /** Until its next sweep the loop neither reads nor looks at the time. */
    private void standStillFor(long seconds) {
        nanos.addAndGet(seconds * SECOND);
    }

    @Test
    void aBodyThatBringsTooLittleInTenSecondsIsTooSlow() {
        assertThat(timedOutAfter(10)).isFalse();
        assertThat(timedOutAfter(1)).isTrue();
        assertThat(body.late).isEqualTo(Refusal.SLOW_BODY);
    }

    @Test
    void aBodyWhoseTimeOutFailsKeepsNoOtherFromItsOwn() {
        List<SlowBody> others = Stream.generate(() -> new SlowBody(Peers.at("1.1.1.1")))
                .limit(8)
                .toList();
        body.failure = new OutOfMemoryError("made up");
        others.forEach(deadlines::bodyStarted);

        assertThatThrownBy(() -> sweepFor(11, false)).isSameAs(body.failure);
        deadlines.sweep(false);
        assertThat(others).allMatch(other -> other.late != null);
    }

    @Test
    void aBodyThatBringsEnoughHasTenSecondsMoreAndTheBodyTimeoutInAll() {
        assertThat(timedOutAfter(9)).isFalse();
        deadlines.bodyProgressed(body);
        assertThat(timedOutAfter(9)).isFalse();
        deadlines.bodyProgressed(body);
        assertThat(timedOutAfter(7)).isFalse();
        assertThat(timedOutAfter(1)).isTrue();
    }

    @Test
    void aBodyThatStopsAfterABurstIsTooSlow() {
        deadlines.bodyProgressed(body);

        assertThat(timedOutAfter(11)).isTrue();
    }

    @Test
    void aBodyThatEndedIsNotTimed() {
        deadlines.ended(body);

        assertThat(timedOutAfter(100)).isFalse();
    }

    @Test
    void aBodyWhoseClientSaysNothingMoreIsOverAtOnce() {
        body.peer().requestBegins();
        body.peer().inputEnds();

        assertThat(timedOutAfter(0)).isTrue();
    }

    @Test
    void aBodyThatIsThereHasItsTimeThoughItsClientSaysNothingMore() {
        body.peer().requestBegins();
        body.peer().requestArrived();
        body.peer().inputEnds();

        assertThat(timedOutAfter(9)).isFalse();
    }

    @Test
    void aBodyThatIsMadeToWaitHasItsTimeWithoutBringingAnything() {
        deadlines.waits(body, Duration.ofSeconds(40), Refusal.SYNC_TIMEOUT);

        assertThat(timedOutAfter(40)).isFalse();
        assertThat(timedOutAfter(1)).isTrue();
        assertThat(body.late).isEqualTo(Refusal.SYNC_TIMEOUT);
    }

    @Test
    void aBodyThatWaitsIsOverAtOnceWhenItsClientSaysNothingMore() {
        deadlines.waits(body, Duration.ofSeconds(25), Refusal.CROWDED);
        body.peer().requestBegins();
        body.peer().inputEnds();

        assertThat(timedOutAfter(0)).isTrue();
    }

    @Test
    void theRestOfARefusedRequestIsNotReadWhileOthersWaitForAConnection() {
        SlowBody rest = new SlowBody(Peers.at("1.1.1.1"));
        deadlines.linger(rest);

        sweepFor(1, false);
        assertThat(rest.late).isNull();
        deadlines.sweep(true);
        assertThat(rest.late).isNotNull();
    }

    @Test
    void theTimeInWhichTheLoopStoodStillIsNoBodysSlowness() {
        standStillFor(20);

        assertThat(timedOutAfter(9)).isFalse();
        assertThat(timedOutAfter(1)).isTrue();
    }

    @Test
    void aConnectionWhoseFirstHeadTheLoopHadNoTimeToReadIsKept() {
        AtomicInteger closed = new AtomicInteger();
        deadlines.opened(Peers.connection("1.1.1.1", closed::incrementAndGet));
        standStillFor(20);

        sweepFor(9, false);
        assertThat(closed).hasValue(0);
        sweepFor(1, false);
        assertThat(closed.get()).isPositive();
    }

    @Test
    void aConnectionThatHadItsAnswerAMomentAgoIsKeptWhileOthersWait() {
        AtomicInteger closed = new AtomicInteger();
        Peer peer = deadlines.opened(Peers.connection("1.1.1.1", closed::incrementAndGet));
        // Read and answered at the end of the time in which no sweep came.
        standStillFor(5);
        peer.pushBegins();
        peer.pushEnds(deadlines.counted());

        sweepFor(1, true);
        assertThat(closed).hasValue(0);
        sweepFor(2, true);
        assertThat(closed.get()).isPositive();
    }

    /** Vert.x would wait until it is read, and meanwhile take whatever else is asked. */
    @Test
    void aConnectionWhoseAnswerIsNotReadIsReset() throws Exception {
        Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
        CompletableFuture<Void> answered = new CompletableFuture<>();
        HttpServer server = vertx.createHttpServer()
                .connectionHandler(deadlines::opened)
                .requestHandler(request -> {
                    Peer peer = deadlines.peer(request.connection());
                    peer.pushBegins();
                    request.response().end(Buffer.buffer(new byte[32 << 20]));
                    peer.pushEnds(deadlines.counted());
                    answered.complete(null);
                })
                .listen(0, "127.0.0.1")
                .await();
        try (Socket client = new Socket("127.0.0.1", server.actualPort())) {
            client.getOutputStream().write("GET / HTTP/1.1\r\nHost: gateway\r\n\r\n".getBytes(US_ASCII));
            answered.join();

            sweepOn(vertx, 80);

            assertThatThrownBy(() -> client.getInputStream().transferTo(OutputStream.nullOutputStream()))
                    .isInstanceOf(SocketException.class)
                    .hasMessageContaining("reset");
        } finally {
            vertx.close().await();
        }
    }

    /** One that is closed can't be reset: to try that failed, and kept those behind it from their end. */
    @Test
    void connectionsWithoutARequestAreClosedAndNotReset() throws Exception {
        Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
        CountDownLatch opened = new CountDownLatch(2);
        int port = vertx.createHttpServer(new HttpServerOptions().setHttp2ClearTextEnabled(false))
                .connectionHandler(connection -> {
                    deadlines.opened(connection);
                    opened.countDown();
                })
                .requestHandler(request -> {})
                .listen(0, "127.0.0.1")
                .await()
                .actualPort();
        try (Socket first = new Socket("127.0.0.1", port);
                Socket second = new Socket("127.0.0.1", port)) {
            opened.await();

            sweepOn(vertx, 11);

            assertThat(first.getInputStream().read()).isEqualTo(-1);
            assertThat(second.getInputStream().read()).isEqualTo(-1);
        } finally {
            vertx.close().await();
        }
    }
}
