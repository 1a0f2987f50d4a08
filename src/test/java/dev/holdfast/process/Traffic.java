package dev.holdfast.process;

import dev.holdfast.simulator.Answer;
import dev.holdfast.simulator.Faults;
import dev.holdfast.simulator.Pace;
import dev.holdfast.simulator.Platform;
import dev.holdfast.simulator.PushSource;
import dev.holdfast.simulator.Script;
import dev.holdfast.simulator.SimulatedPush;
import dev.holdfast.simulator.Summary;
import dev.holdfast.simulator.Wire;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** The platform, played from this process: unique pushes at a steady rate, and a note of every answer. */
final class Traffic {
    private static final int CONNECTIONS = 64;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final List<SentPush> sent = new ArrayList<>();
    private final Platform platform;
    private final Future<Summary> summary;

    private Traffic(Vertx vertx, URI url, String secret, double rate, int bodySize) {
        PushSource source = new PushSource(
                Script.standard().withBodySize(bodySize),
                secret.getBytes(StandardCharsets.UTF_8),
                Clock.systemUTC(),
                ThreadLocalRandom.current().nextLong());
        Wire wire = Wire.to(url).withConnections(CONNECTIONS).withTimeout(TIMEOUT);
        Pace pace = new Pace(rate, null, Long.MAX_VALUE);
        this.platform = new Platform(vertx, source, wire, pace, Faults.none(), this::note);
        this.summary = platform.run();
    }

    /**
     * Starts to send.
     *
     * @param rate pushes per second, whatever the answers
     */
    static Traffic start(Vertx vertx, URI url, String secret, double rate, int bodySize) {
        return new Traffic(vertx, url, secret, rate, bodySize);
    }

    private void note(SimulatedPush push, Answer answer) {
        BodyDigest digest = BodyDigest.of(push.body().getBytes());
        long due = System.nanoTime() - answer.latencyNanos();
        synchronized (sent) {
            sent.add(new SentPush(digest, due, answer.status()));
            sent.notifyAll();
        }
    }

    /** Waits until so many have been answered, whatever the answer. */
    void awaitAnswers(int count) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        synchronized (sent) {
            while (sent.size() < count) {
                long left = (deadline - System.nanoTime()) / 1_000_000;
                if (left <= 0) {
                    throw new AssertionError("found " + sent.size() + " answers (expected: " + count + ")");
                }
                sent.wait(left);
            }
        }
    }

    /** How many were sent until now, in the order in which they were due. */
    long sentSoFar() {
        return platform.soFar().sent();
    }

    /** Sends nothing more, waits for the answers under way, and returns what was sent and how fast. */
    Summary stop() throws Exception {
        platform.stop();
        return summary.await(30, TimeUnit.SECONDS);
    }

    /** Everything that was sent and is decided, in the order of the answers. */
    List<SentPush> sent() {
        synchronized (sent) {
            return List.copyOf(sent);
        }
    }
}
