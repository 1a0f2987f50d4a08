package dev.holdfast.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The harness. Starts the servers, loads them in turn, prints the table, and counts the journal. Ends with status 0 when
 * it could measure and nothing acknowledged is missing, whatever the figures are.
 */
public final class Benchmark {
    /** A server is warm when its compilers take no more of a processor than this. */
    private static final double COMPILERS_AT_REST = 0.05;

    private static final int MOST_WARM_UP_ROUNDS = 16;

    private final BenchSettings settings;
    private final Report report = new Report();
    private final Lineup lineup;
    private final Wrk wrk;

    private Benchmark(BenchSettings settings, Children children, Path scratch) {
        this.settings = settings;
        this.lineup = new Lineup(settings, children, new LocalHttp(), scratch);
        this.wrk = new Wrk(settings, children);
    }

    public static void main(String[] args) throws IOException {
        BenchSettings settings = BenchSettings.fromSystemProperties();
        Files.createDirectories(settings.output());
        Path scratch = Files.createTempDirectory(settings.output(), "run");
        Children children = new Children();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            children.close();
            Machine.deleteAll(scratch);
        }));
        try (children) {
            new Benchmark(settings, children, scratch).run(scratch);
        } catch (IllegalStateException e) {
            System.err.println("benchmark: " + e.getMessage());
            System.exit(1);
        }
    }

    private void run(Path scratch) throws IOException {
        wrk.mustBeInstalled();
        Machine.mustHaveRoom(scratch, settings);
        System.out.println("filling the free memory with page cache, so that no server pays for fresh pages ...");
        System.out.println("... took " + Machine.fillPageCache(scratch) + " s");
        describe(scratch);
        try {
            compareServers();
            FirstSeconds young = new FirstSeconds(settings, lineup, wrk, report);
            young.compareUnderLoad();
            young.measureSteady();
            if (settings.prefill() > 0) {
                compareJournals();
            }
        } finally {
            Files.writeString(settings.output().resolve("results.txt"), report.text());
        }
    }

    private void describe(Path scratch) throws IOException {
        report.line(
                "Holdfast's benchmark: bodies of 3 KB, all different; %d connections kept alive, %d threads of wrk;",
                BenchSettings.CONNECTIONS, BenchSettings.CLIENT_THREADS);
        report.line(
                "%d rounds of %d s for each server, taking turns, each warmed up until its compilers take at most %.0f %% of a processor.",
                settings.rounds(), settings.seconds(), 100 * COMPILERS_AT_REST);
        report.line("Every server's JVM: %s", String.join(" ", settings.jvm()));
        report.line("Machine, shared by client and server: %s", Machine.describe(scratch));
    }

    private void compareServers() throws IOException {
        Map<String, Contender> contenders = new LinkedHashMap<>();
        for (String server : settings.servers()) {
            contenders.put(server, ready(lineup.start(server), !server.equals("a")));
        }
        takeTurns(contenders.values());
        new Aims(report).servers(rounds(contenders.get("a")), rounds(contenders.get("b")), rounds(contenders.get("c")));
        for (Contender contender : contenders.values()) {
            finish(contender);
        }
    }

    private static List<Round> rounds(@Nullable Contender contender) {
        return contender == null ? List.of() : contender.rounds();
    }

    private void compareJournals() throws IOException {
        Contender full = ready(lineup.gateway("(c) Holdfast, journal filled before", null), true);
        fill(full);
        // Both begin young: what the filling has compiled would be an advantage.
        full.restart();
        full.process().pause();
        Contender empty = ready(lineup.gateway("(c) Holdfast, journal empty before", null), true);
        takeTurns(List.of(empty, full));
        new Aims(report).journals(full.rounds(), empty.rounds(), settings.prefill());
        List<Duration> kills = new ArrayList<>();
        for (int i = 0; i < settings.rounds(); i++) {
            Round.measure(full, wrk, 1, BenchSettings.BODY_BYTES);
            kills.add(full.kill());
        }
        new Aims(report).kills(kills);
        finish(full);
        finish(empty);
    }

    /** Through the front door: the journal then holds what it would hold in service. */
    private void fill(Contender contender) {
        while (contender.acknowledged() < settings.prefill()) {
            long before = contender.acknowledged();
            Round round = Round.measure(contender, wrk, settings.seconds(), BenchSettings.SMALL_BODY_BYTES);
            progress(contender, round);
            if (contender.acknowledged() == before) {
                throw new IllegalStateException("filling the journal stands still at " + before + " pushes");
            }
        }
    }

    private static Contender ready(Contender contender, boolean verifies) {
        contender.awaitReady();
        if (verifies) {
            contender.mustRefuseForgeries();
        }
        contender.process().pause();
        return contender;
    }

    /** Only the one whose turn it is runs; the others are stopped, and keep their memory. */
    private void takeTurns(Collection<Contender> contenders) {
        contenders.forEach(this::warmUp);
        for (int i = 0; i < settings.rounds(); i++) {
            for (Contender contender : contenders) {
                Round round = Round.measure(contender, wrk, settings.seconds(), BenchSettings.BODY_BYTES);
                contender.rounds().add(round);
                progress(contender, round);
            }
        }
        contenders.forEach(contender -> report.server(contender.title(), contender.rounds()));
    }

    private void warmUp(Contender contender) {
        double compilers = 1;
        int rounds = 0;
        while (compilers > COMPILERS_AT_REST && rounds < MOST_WARM_UP_ROUNDS) {
            long before = contender.process().compilerMicros();
            Round.measure(contender, wrk, settings.seconds(), BenchSettings.BODY_BYTES);
            compilers = (contender.process().compilerMicros() - before) / (settings.seconds() * 1e6);
            rounds++;
        }
        System.out.printf(
                "  %-40s warm after %d s, compilers at %.0f %%%n",
                contender.title(), rounds * settings.seconds(), 100 * compilers);
    }

    static void progress(Contender contender, Round round) {
        System.out.printf("  %-40s %,9.0f/s %6.1f us%n", contender.title(), Report.rate(round), round.cpuMicros());
    }

    /** Stops the server, and reads what a gateway has kept from its disk. */
    private void finish(Contender contender) {
        contender.close();
        if (contender.metrics() != null) {
            new Aims(report).journal(contender.title(), contender.acknowledged(), KeptPushes.count(contender.data()));
        }
    }
}
