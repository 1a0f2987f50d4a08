package dev.holdfast.bench;

import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What the receiver's answers have to suffer from a forwarder whose server is in trouble: the second half of {@code mvn
 * -Pbench-delivery verify}. Two gateways of their own processes get the same steady load in turn. Behind one the server is
 * well; behind the other it has one outage after the other until the backlog is large, then comes back, and is caught up
 * with under the same load. Ends with status 0 when everything arrived in order, whatever the figures are.
 */
public final class ForwarderBenchmark {
    /** How long an undisturbed round is, and the warm-up, in {@code bench.seconds}. */
    private static final int LENGTHS = 4;

    private final BenchSettings settings;
    private final Report report = new Report();
    private final Forwarding well;
    private final Forwarding troubled;
    private final ForwarderRounds rounds = new ForwarderRounds();

    private ForwarderBenchmark(BenchSettings settings, Lineup lineup, Vertx vertx) throws IOException {
        this.settings = settings;
        this.well = new Forwarding("server always well", lineup, vertx, settings);
        this.troubled = new Forwarding("server in trouble", lineup, vertx, settings);
    }

    public static void main(String[] args) throws IOException {
        BenchSettings settings = BenchSettings.fromSystemProperties();
        Files.createDirectories(settings.output());
        Path scratch = Files.createTempDirectory(settings.output(), "forwarder");
        Children children = new Children();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            children.close();
            Machine.deleteAll(scratch);
        }));
        Vertx vertx = Vertx.vertx();
        Lineup lineup = new Lineup(settings, children, new LocalHttp(), scratch);
        try (children) {
            ForwarderBenchmark benchmark = new ForwarderBenchmark(settings, lineup, vertx);
            try {
                benchmark.run(scratch);
            } finally {
                Files.writeString(settings.output().resolve("forwarder.txt"), benchmark.report.text());
            }
        } catch (IllegalStateException e) {
            System.err.println("benchmark: " + e.getMessage());
            System.exit(1);
        } finally {
            vertx.close().await();
        }
    }

    private void run(Path scratch) throws IOException {
        report.line(
                "The receiver beside a forwarder with 16 lanes, %,d pushes of 3 KB a second, all different; %d rounds",
                settings.rate(), settings.rounds());
        report.line("Each gateway's JVM: %s", String.join(" ", settings.jvm()));
        report.line("Machine, shared with client and server: %s", Machine.describe(scratch));
        int seconds = LENGTHS * settings.seconds();
        well.undisturbed(seconds);
        troubled.undisturbed(seconds);
        for (int i = 0; i < settings.rounds(); i++) {
            rounds.add(well.undisturbed(seconds), troubled.outage());
        }
        rounds.print(report);
        for (Forwarding forwarding : List.of(well, troubled)) {
            forwarding.check(report);
        }
    }
}
