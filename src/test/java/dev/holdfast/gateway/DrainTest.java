package dev.holdfast.gateway;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.Eventually.until;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static dev.holdfast.gateway.GatewayUnderTest.signed;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.json.JsonObject;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The way out: readiness first, the port later, the journal last. */
@Timeout(60)
class DrainTest {
    @TempDir
    Path directory;

    @Test
    void pushesAreTakenForTheDrainDelayAndEverythingAnsweredIsInTheJournal() {
        GatewayUnderTest gateway = GatewayUnderTest.start(new GatewaySettings().receiver("drain-delay: 5s"), directory);
        int kept = 0;
        assertThat(gateway.isReady()).isTrue();
        RawConnection open = gateway.connect();
        assertThat(open.send(signed(envelope("client.created", ++kept)))
                        .answer()
                        .header("connection"))
                .isNull();

        CompletableFuture<Void> stopped = CompletableFuture.runAsync(gateway::close);
        eventually(() -> assertThat(gateway.isReady()).isFalse());
        assertThat(gateway.management("/readyz").body()).contains("\"accepting\":false", "\"storage\":true");

        HttpAnswer last = open.send(signed(envelope("client.created", ++kept))).answer();
        assertThat(last.status()).isEqualTo(200);
        assertThat(last.header("connection")).isEqualTo("close");
        // Whoever does not heed it may go on as long as the delay lasts.
        assertThat(open.send(signed(envelope("client.created", ++kept)))
                        .answer()
                        .status())
                .isEqualTo(200);
        List<Integer> refused = new ArrayList<>();
        while (!stopped.isDone()) {
            try {
                int status = gateway.push(envelope("client.created", kept + 1)).status();
                if (status == 200) {
                    kept++;
                } else {
                    refused.add(status);
                }
            } catch (UncheckedIOException e) {
                break;
            }
        }
        stopped.join();

        assertThat(refused).isEmpty();
        assertThat(kept).isGreaterThan(3);
        Deliveries all = new Deliveries();
        int expected = kept;
        try (GatewayUnderTest again =
                GatewayUnderTest.start(new GatewaySettings().consumer("everything", "*", all), directory)) {
            eventually(() -> assertThat(all.handled()).hasSizeGreaterThanOrEqualTo(expected));
            assertThat(all.bodies()).contains(envelope("client.created", expected));
            assertThat(again.isReady()).isTrue();
        }
    }

    /** What it accepts before its start is over is accepted as everything else is. */
    @Test
    void aStopThatComesAsThePortOpensDrainsLikeAnyOther() {
        AtomicReference<Thread> stopping = new AtomicReference<>();
        GatewayUnderTest gateway = GatewayUnderTest.start(
                new GatewaySettings().receiver("drain-delay: 5s"), directory, stop -> stopping.set(stopsBy(stop)));

        assertThat(gateway.push(envelope("client.created", 1)).status()).isEqualTo(200);
        until(() -> isOver(stopping.get()));

        Deliveries all = new Deliveries();
        try (GatewayUnderTest again =
                GatewayUnderTest.start(new GatewaySettings().consumer("everything", "*", all), directory)) {
            eventually(() -> assertThat(all.bodies()).containsExactly(envelope("client.created", 1)));
            assertThat(again.isReady()).isTrue();
        }
    }

    @Test
    void aStopThatComesAsThePortOpensDoesNotWaitForAStartThatHangs() {
        CompletableFuture<Thread> stopping = new CompletableFuture<>();
        Thread starting = new Thread(() ->
                GatewayUnderTest.start(new GatewaySettings().receiver("drain-timeout: 300ms"), directory, stop -> {
                    stopping.complete(stopsBy(stop));
                    until(() -> isOver(stopping.join()));
                }));
        starting.setDaemon(true);
        starting.start();

        until(() -> isOver(stopping.join()));
    }

    private static boolean isOver(Thread thread) {
        return thread.getState() == Thread.State.TERMINATED;
    }

    /** Returns as soon as it has begun. */
    private static Thread stopsBy(Runnable stop) {
        Thread stopping = new Thread(stop, "stop");
        stopping.start();
        until(() -> stopping.getState() != Thread.State.NEW && stopping.getState() != Thread.State.RUNNABLE);
        return stopping;
    }

    /** A balancer takes elsewhere what is refused at the port, and not what it has sent when the connection ends. */
    @Test
    void whoCameBeforeThePortWasClosedMayStillAsk() {
        GatewayUnderTest gateway = GatewayUnderTest.start(new GatewaySettings().receiver("drain-delay: 1s"), directory);
        try (RawConnection before = gateway.connect()) {
            CompletableFuture<Void> stopped = CompletableFuture.runAsync(gateway::close);
            until(() -> isRefused(gateway));
            Instant refused = Instant.now();

            assertThat(before.send(signed(envelope("client.created", 1)))
                            .answer()
                            .status())
                    .isEqualTo(200);
            stopped.join();
            assertDownFrom(refused);
        }
    }

    /** No later than that, though the last push was answered after it. */
    private void assertDownFrom(Instant refused) {
        try (GatewayUnderTest again = GatewayUnderTest.start(new GatewaySettings(), directory)) {
            JsonObject start = LedgerTest.newestStart(again, 2);
            assertThat(Instant.parse(start.getString("at")).minusMillis(start.getLong("downMillis")))
                    .isBeforeOrEqualTo(refused);
        }
    }

    private static boolean isRefused(GatewayUnderTest gateway) {
        try {
            gateway.connect().close();
            return false;
        } catch (UncheckedIOException e) {
            return true;
        }
    }

    @Test
    void aRequestUnderWayEndsWith200() {
        GatewayUnderTest gateway = GatewayUnderTest.start(new GatewaySettings(), directory);
        byte[] request = signed(envelope("client.created", 1));
        RawConnection slow = gateway.connect().send(request, 0, request.length - 5);
        eventually(() ->
                assertThat(gateway.metric("holdfast_receiver_requests_total")).isEqualTo(1));

        CompletableFuture<Void> stopped = CompletableFuture.runAsync(gateway::close);
        assertThat(slow.isSilentFor(500)).isTrue();
        assertThat(stopped).isNotDone();
        slow.send(request, request.length - 5, 5);

        assertThat(slow.answer().status()).isEqualTo(200);
        stopped.join();
    }

    @Test
    void aRequestThatDoesNotEndHoldsTheStopUpForTheDrainTimeoutOnly() {
        GatewayUnderTest gateway =
                GatewayUnderTest.start(new GatewaySettings().receiver("drain-timeout: 500ms"), directory);
        byte[] request = signed(envelope("client.created", 1));
        gateway.connect().send(request, 0, request.length - 5);
        eventually(() ->
                assertThat(gateway.metric("holdfast_receiver_requests_total")).isEqualTo(1));
        long started = System.nanoTime();

        gateway.close();

        // Without the timeout it would be the body timeout, 30 s.
        assertThat(System.nanoTime() - started).isLessThan(20_000_000_000L);
    }

    @Test
    void whatConsumersHaveUnderWayAddsNoSecondDrainTimeoutToThatOfRequests() {
        Deliveries stuck = new Deliveries().behave(push -> Future.future(never -> {}));
        GatewayUnderTest gateway = GatewayUnderTest.start(
                new GatewaySettings().consumer("stuck", "*", stuck).receiver("drain-timeout: 4s"), directory);
        gateway.push(envelope("client.created", 1));
        eventually(() -> assertThat(stuck.attempts()).hasSize(1));
        byte[] request = signed(envelope("client.created", 2));
        gateway.connect().send(request, 0, request.length - 5);
        eventually(() ->
                assertThat(gateway.metric("holdfast_receiver_requests_total")).isEqualTo(2));
        long started = System.nanoTime();

        gateway.close();

        // Consumers have two seconds in any case.
        assertThat(System.nanoTime() - started).isLessThan(7_500_000_000L);
    }

    @Test
    void anInterruptionKeepsNothingFromBeingClosed() {
        GatewayUnderTest gateway = GatewayUnderTest.start(new GatewaySettings(), directory);

        Thread.currentThread().interrupt();
        gateway.close();

        assertThat(Thread.interrupted()).isTrue();
        try (GatewayUnderTest again = GatewayUnderTest.start(new GatewaySettings(), directory)) {
            assertThat(again.push(envelope("client.created", 1)).status()).isEqualTo(200);
        }
    }

    @Test
    void stoppingTwiceDoesNoHarm() {
        GatewayUnderTest gateway = GatewayUnderTest.start(new GatewaySettings(), directory);

        gateway.close();
        gateway.close();
    }

    /** One that fires while Vert.x closes finds no thread for its work, and a clean stop ends in an error with a stack trace. */
    @Test
    void noTimerIsLeftWhenVertxCloses() {
        GatewayUnderTest gateway = GatewayUnderTest.start(new GatewaySettings(), directory);
        TimerCount timers = new TimerCount();
        gateway.vertx().deployVerticle(timers).await();

        gateway.close();

        assertThat(timers.left).isEmpty();
    }

    /** Counts the timers that are left when everything else is undeployed. */
    private static final class TimerCount extends VerticleBase {
        private static final long MORE_THAN_EVER = 10_000;
        private volatile List<Long> left = List.of(-1L);

        @Override
        public Future<?> stop() {
            if (vertx.deploymentIDs().size() > 1) {
                return vertx.timer(10, TimeUnit.MILLISECONDS).compose(passed -> stop());
            }
            left = LongStream.range(0, MORE_THAN_EVER)
                    .filter(vertx::cancelTimer)
                    .boxed()
                    .toList();
            return Future.succeededFuture();
        }
    }
}
