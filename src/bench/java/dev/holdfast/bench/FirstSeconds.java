package dev.holdfast.bench;

import io.vertx.core.Vertx;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.HdrHistogram.Histogram;

/** What servers do while they are young: each round starts new ones. */
final class FirstSeconds {
    private static final int SECONDS = 10;
    private static final int STEADY_RATE = 500;
    private static final long STEADY_MILLIS = 5_000;
    private static final long AGE_MILLIS = 1_000;
    private static final int WARM_UP_RATE = 2_000;
    private static final long WARM_UP_MILLIS = 20_000;

    private final BenchSettings settings;
    private final Lineup lineup;
    private final Wrk wrk;
    private final Report report;

    FirstSeconds(BenchSettings settings, Lineup lineup, Wrk wrk, Report report) {
        this.settings = settings;
        this.lineup = lineup;
        this.wrk = wrk;
        this.report = report;
    }

    /** The limit and the gateway under full load, from the first push on. */
    void compareUnderLoad() throws IOException {
        List<Round> limit = new ArrayList<>();
        List<Round> holdfast = new ArrayList<>();
        for (int i = 0; i < settings.rounds(); i++) {
            limit.add(underLoad("b"));
            holdfast.add(underLoad("c"));
        }
        report.server("(b) limit, its first " + SECONDS + " s", limit);
        report.server("(c) Holdfast, its first " + SECONDS + " s", holdfast);
        new Aims(report).young(limit, holdfast);
    }

    private Round underLoad(String server) throws IOException {
        Contender contender = server.equals("c") ? lineup.gateway("(c) Holdfast, young", null) : lineup.start(server);
        contender.awaitReady();
        Round round = Round.measure(contender, wrk, SECONDS, BenchSettings.BODY_BYTES);
        contender.close();
        Benchmark.progress(contender, round);
        return round;
    }

    /**
     * What came of a gateway that got a few pushes only.
     *
     * @param accepting from its start to its first {@code 200}
     * @param micros latencies of what came from a second later on
     */
    private record Start(Duration accepting, Histogram micros) {
        double p99() {
            return micros.getValueAtPercentile(99) / 1e3;
        }
    }

    /** A gateway that is a second old gets few pushes at fixed times. */
    void measureSteady() throws IOException {
        Vertx vertx = Vertx.vertx();
        try {
            warmUp(vertx);
            List<Start> starts = new ArrayList<>();
            for (int i = 0; i < settings.rounds(); i++) {
                starts.add(steady(vertx));
            }
            report.heading(
                    "(c) Holdfast, a second old, " + STEADY_RATE + " pushes/s for " + STEADY_MILLIS / 1000 + " s");
            report.spread(
                    "accepting after, s",
                    2,
                    Spread.of(starts, start -> start.accepting().toMillis() / 1e3));
            report.spread(
                    "p50, ms", 2, Spread.of(starts, start -> start.micros().getValueAtPercentile(50) / 1e3));
            report.spread("p99, ms", 2, Spread.of(starts, Start::p99));
            report.atMost("aim, p99, median", Spread.of(starts, Start::p99).median(), 100);
        } finally {
            vertx.close().await();
        }
    }

    /** A client that is young itself answers later than any gateway: it would measure its own compiler. */
    private void warmUp(Vertx vertx) throws IOException {
        Contender limit = lineup.start("b");
        limit.awaitReady();
        SteadyLoad load = new SteadyLoad(vertx, limit.port(), WARM_UP_RATE, ConcurrentHashMap.newKeySet());
        Poll.pause(WARM_UP_MILLIS);
        var unused = load.stop();
        limit.close();
    }

    private Start steady(Vertx vertx) throws IOException {
        Contender contender = lineup.gateway("(c) Holdfast", null);
        Duration accepting = contender.awaitAccepting();
        Poll.pause(AGE_MILLIS);
        SteadyLoad load = new SteadyLoad(vertx, contender.port(), STEADY_RATE, ConcurrentHashMap.newKeySet());
        Histogram micros = load.measure();
        Poll.pause(STEADY_MILLIS);
        long refused = load.stop();
        contender.close();
        if (refused > 0) {
            throw new IllegalStateException(refused + " pushes were not answered 200");
        }
        return new Start(accepting, micros);
    }
}
