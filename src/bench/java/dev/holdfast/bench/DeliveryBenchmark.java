package dev.holdfast.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Deliveries per second, beside what plain Vert.x does in the same run: {@code mvn -Pbench-delivery verify}. All in one
 * process; both sides of a comparison take turns.
 */
public final class DeliveryBenchmark {
    private static final int BUS_PUSHES = 300_000;
    private static final int RICH_PUSHES = 150_000;
    private static final int HTTP_PUSHES = 40_000;
    private static final int LANES = 16;

    private final Report report = new Report();
    private final int rounds;

    private DeliveryBenchmark(int rounds) {
        this.rounds = rounds;
    }

    public static void main(String[] args) throws IOException {
        BenchSettings settings = BenchSettings.fromSystemProperties();
        Files.createDirectories(settings.output());
        Path scratch = Files.createTempDirectory(settings.output(), "delivery");
        DeliveryBenchmark benchmark = new DeliveryBenchmark(settings.rounds());
        try {
            benchmark.run(scratch);
            Files.writeString(settings.output().resolve("delivery.txt"), benchmark.report.text());
        } finally {
            Machine.deleteAll(scratch);
        }
    }

    private void run(Path scratch) throws IOException {
        report.line("Deliveries from a backlog of pushes of 1 KB, per second, %d rounds", rounds);
        report.line("Machine, shared by both sides: %s", Machine.describe(scratch));
        Backlog one = Backlog.fill(Files.createDirectory(scratch.resolve("one")), BUS_PUSHES, 1, Backlog::small);
        Backlog many = Backlog.fill(Files.createDirectory(scratch.resolve("many")), BUS_PUSHES, LANES, Backlog::small);
        Backlog rich = Backlog.fill(Files.createDirectory(scratch.resolve("rich")), RICH_PUSHES, LANES, Backlog::rich);
        String idle = IdleConsumer.class.getName();
        Plain plain = new Plain(LANES);
        String url = "url: \"" + plain.url() + "\"";
        compare("bus, 1 lane", () -> one.deliver(BUS_PUSHES, idle, ""), () -> plain.bus(BUS_PUSHES, 1));
        compare("bus, 16 lanes", () -> many.deliver(BUS_PUSHES, idle, ""), () -> plain.bus(BUS_PUSHES, LANES));
        compare("http, 16 lanes", () -> many.deliver(HTTP_PUSHES, "http", url), () -> plain.web(HTTP_PUSHES, LANES));
        plain.close();
        Side ordered = () -> rich.deliver(RICH_PUSHES, idle, "", Backlog.OWNER);
        Side plainly = () -> rich.deliver(RICH_PUSHES, idle, "");
        compare("bus, 16 lanes, bodies of 3 KB", "order-by, deliveries/s", ordered, "without it", plainly);
    }

    private interface Side {
        double rate() throws IOException;
    }

    /** Aims at half of what plain Vert.x does. */
    private void compare(String title, Side holdfast, Side plain) throws IOException {
        Spread ratio = compare(title, "Holdfast, deliveries/s", holdfast, "plain Vert.x, requests/s", plain);
        report.atLeast("aim", ratio.median(), 0.5);
    }

    private Spread compare(String title, String ours, Side one, String theirs, Side other) throws IOException {
        // Once for the compiler.
        other.rate();
        one.rate();
        double[] rates = new double[rounds];
        double[] others = new double[rounds];
        double[] ratios = new double[rounds];
        for (int i = 0; i < rounds; i++) {
            others[i] = other.rate();
            rates[i] = one.rate();
            ratios[i] = rates[i] / others[i];
        }
        report.heading(title);
        report.spread(ours, 0, Spread.of(rates));
        report.spread(theirs, 0, Spread.of(others));
        report.spread("ratio", 2, Spread.of(ratios));
        return Spread.of(ratios);
    }
}
