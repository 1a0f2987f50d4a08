package dev.holdfast.bench;

import dev.holdfast.bench.FaultyServer.Mood;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.Histogram;

/** One gateway, its forwarder, and the server behind it. Runs only while it is loaded. */
final class Forwarding {
    private static final List<Mood> TROUBLES =
            List.of(Mood.DOWN, Mood.SLOW, Mood.RESETTING, Mood.FAILING_FIRST, Mood.HALF_OPEN);
    private static final long LOOK_MILLIS = 200;
    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    private final BenchSettings settings;
    private final Vertx vertx;
    private final FaultyServer server;
    private final Contender contender;
    private final GatewayMetrics metrics;
    private final Set<Long> acknowledged = ConcurrentHashMap.newKeySet(Arrivals.MANY);
    private long refused;

    Forwarding(String title, Lineup lineup, Vertx vertx, BenchSettings settings) throws IOException {
        this.settings = settings;
        this.vertx = vertx;
        this.server = new FaultyServer();
        this.contender = lineup.forwarder(title, server.url(), null);
        this.metrics = Objects.requireNonNull(contender.metrics());
        contender.awaitReady();
        contender.process().pause();
    }

    /** Latencies of the receiver, in microseconds, over so long a time in which nothing happens. */
    Histogram undisturbed(int seconds) {
        SteadyLoad load = begin();
        Histogram latencies = load.measure();
        long end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
        await(() -> behind() >= 0 && System.nanoTime() - end > 0);
        end(load);
        return latencies;
    }

    /**
     * What the receiver did while its forwarder's server had each outage in turn, and while it was caught up with.
     *
     * @param backlog pushes behind when the server came back
     * @param drained from then until less than a second's load was behind
     * @param residentMiB of the gateway, at the end of both
     */
    record Outage(Histogram during, Histogram after, long backlog, Duration drained, long residentMiB) {}

    Outage outage() {
        SteadyLoad load = begin();
        Histogram during = load.measure();
        for (int i = 0; i < TROUBLES.size(); i++) {
            server.become(TROUBLES.get(i));
            long enough = (long) settings.backlog() * (i + 1) / TROUBLES.size();
            await(() -> behind() >= enough);
        }
        long backlog = behind();
        Histogram after = load.measure();
        long start = System.nanoTime();
        server.become(Mood.WELL);
        await(() -> behind() < settings.rate());
        Duration drained = Duration.ofNanos(System.nanoTime() - start);
        long resident = contender.process().residentMiB();
        end(load);
        return new Outage(during, after, backlog, drained, resident);
    }

    private SteadyLoad begin() {
        contender.process().resume();
        contender.awaitReady();
        SteadyLoad load = new SteadyLoad(vertx, contender.port(), settings.rate(), acknowledged);
        long settled = System.nanoTime() + Duration.ofSeconds(2).toNanos();
        await(() -> behind() >= 0 && System.nanoTime() - settled > 0);
        return load;
    }

    /** Looks at the gateway again and again, also where only time is waited for: looking is a load too. */
    private void await(BooleanSupplier condition) {
        long start = System.nanoTime();
        do {
            Poll.pause(LOOK_MILLIS);
            contender.process().mustLive();
            if (System.nanoTime() - start > TIMEOUT.toNanos()) {
                throw new IllegalStateException("found " + behind() + " pushes behind after " + TIMEOUT);
            }
        } while (!condition.getAsBoolean());
    }

    /** Pushes kept that have not arrived, seen from outside. */
    private long behind() {
        return server.arrivals().missingUpTo(metrics.lastSeq());
    }

    private void end(SteadyLoad load) {
        load.measure();
        refused += load.stop();
        Poll.until(TIMEOUT, "everything to arrive", () -> behind() == 0);
        contender.process().pause();
    }

    /** Whether everything arrived, in order; ends the run when it did not. */
    void check(Report report) {
        contender.process().resume();
        Arrivals arrivals = server.arrivals();
        long kept = metrics.lastSeq();
        long missing = arrivals.missing(acknowledged) + arrivals.missingUpTo(kept);
        report.line("");
        report.line("%s:", contender.title());
        report.line("  %,d pushes answered 200, %,d not; %,d kept", acknowledged.size(), refused, kept);
        report.line(
                "  missing at the server: %,d; out of order in a lane: %,d; came more than once: %,d",
                missing, arrivals.outOfOrder(), arrivals.repeated());
        contender.close();
        server.close();
        if (missing > 0 || arrivals.outOfOrder() > 0 || kept < acknowledged.size()) {
            throw new IllegalStateException(contender.title() + ": not everything arrived in order");
        }
    }
}
