package dev.holdfast.cli;

import dev.holdfast.config.HeaderName;
import dev.holdfast.config.TimeSpan;
import dev.holdfast.simulator.Fault;
import dev.holdfast.simulator.Faults;
import dev.holdfast.simulator.Pace;
import dev.holdfast.simulator.PushSource;
import dev.holdfast.simulator.Script;
import dev.holdfast.simulator.Summary;
import dev.holdfast.simulator.TokenFault;
import dev.holdfast.simulator.Wire;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code simulate}: plays the platform against a receiver. */
@Command(
        name = "simulate",
        sortOptions = false,
        showDefaultValues = true,
        description =
                "Plays the platform: sends signed pushes at a rate, each once, and counts the answers; or gives access"
                        + " tokens.",
        footer = {
            "",
            "Pushes are sent at fixed times, whatever the answers to earlier ones, and latency counts from those times.",
            "Exit status: 0 when every push got 200 that is owed one (all but those with the faults wrong-signature, "
                    + "slow-body and oversize), 1 when one did not or one with a wrong signature did, 2 when used wrongly."
        })
final class SimulateCommand implements Callable<Integer> {
    private static final Duration LONGEST = Duration.ofDays(365);

    @Option(
            names = "--to",
            showDefaultValue = Visibility.NEVER,
            paramLabel = "URL",
            description = "The Webhook URL. With several, pushes go to them in turn. Required, but for --serve-tokens.")
    List<URI> targets = List.of();

    @Mixin
    private SecretSource secret = new SecretSource();

    @Option(names = "--signature-header", paramLabel = "NAME", description = "The header with the signature.")
    String signatureHeader = Wire.SIGNATURE_HEADER;

    @Option(names = "--rate", paramLabel = "N", description = "Pushes per second.")
    double rate = 100;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            description = "How long to send, e.g. 10s or 5m. Without it and --count: until Ctrl-C.")
    @Nullable
    Duration duration;

    @Option(names = "--count", paramLabel = "N", description = "Stop after so many pushes.")
    @Nullable
    Long count;

    @Option(names = "--connections", paramLabel = "N", description = "Kept-alive connections to each URL at most.")
    int connections = 16;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "30s",
            description = "How long to wait for an answer, and before it for a free connection.")
    Duration timeout = Duration.ofSeconds(30);

    @Option(
            names = "--events",
            showDefaultValue = Visibility.NEVER,
            split = ",",
            paramLabel = "EVENT",
            description = "The events to send, in turn, separated by commas. Without it: all eight topics.")
    List<String> events = List.of();

    @Option(
            names = "--visitor-event",
            paramLabel = "EVENT",
            description = "The event of the topic \"Update visitor\"; the platform's interface does not show it.")
    String visitorEvent = Script.VISITOR_EVENT;

    @Option(
            names = "--client-field",
            paramLabel = "FIELD",
            description = "The field with client data; the platform's interface does not show it.")
    String clientField = "client";

    @Option(names = "--enterprise-token", paramLabel = "TOKEN", description = "The enterprise's token in the envelope.")
    String enterpriseToken = "simulated";

    @Option(
            names = "--body-size",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            defaultValue = "0",
            description = "Fill bodies up to this size with invented padding, e.g. 3KiB.")
    int bodySize;

    @Option(
            names = "--fault",
            showDefaultValue = Visibility.NEVER,
            split = ",",
            paramLabel = "FAULT",
            description = "Make some pushes faulty; may be given several times: ${COMPLETION-CANDIDATES}.")
    List<Fault> faults = List.of();

    @Option(
            names = "--fault-rate",
            paramLabel = "PART",
            description = "The part of all pushes that bear one of the faults, 0 to 1.")
    double faultRate = 0.05;

    @Option(
            names = "--oversize",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            defaultValue = "8388609",
            description = "Bytes of an oversize body; to be more than the receiver accepts. At most 8 under way.")
    int oversize = Script.OVERSIZE;

    @Option(
            names = "--slow-body-time",
            paramLabel = "TIME",
            defaultValue = "5s",
            description = "How long a slow body takes to come. At most 256 under way.")
    Duration slowBody = Duration.ofSeconds(5);

    @Option(names = "--insecure", description = "Trust any certificate of an https URL.")
    boolean insecure;

    @Mixin
    TokenService tokens = new TokenService();

    @Option(names = "--output", paramLabel = "FORM", description = "How to write the summary: text or json.")
    Output.Form output = Output.Form.text;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final CliEnvironment cli;

    SimulateCommand(CliEnvironment cli) {
        this.cli = cli;
    }

    /** This verb's command line. Durations are read as in the configuration, and faults by the names in the help. */
    CommandLine commandLine() {
        return new CommandLine(this)
                .registerConverter(Duration.class, SimulateCommand::duration)
                .registerConverter(Fault.class, text -> one(text, Fault.values()))
                .registerConverter(TokenFault.class, text -> one(text, TokenFault.values()));
    }

    private static Duration duration(String text) {
        return TimeSpan.parse(text)
                .filter(time -> time.compareTo(LONGEST) <= 0)
                .orElseThrow(() -> new TypeConversionException(
                        "'" + text + "' (expected: a duration such as 500ms, 10s, 5m or 1h, at most 365d)"));
    }

    /**
     * Reads an enum by the one name that is documented; Picocli would also take the constant's, and show both in a
     * message.
     */
    private static <E extends Enum<E>> E one(String text, E[] known) {
        return Stream.of(known)
                .filter(one -> one.toString().equals(text))
                .findFirst()
                .orElseThrow(() ->
                        new TypeConversionException("found " + text + ", expected one of " + Arrays.toString(known)));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        boolean alone = targets.isEmpty() && tokens.isWanted();
        Simulation simulation;
        Runnable end;
        try {
            simulation = alone ? null : simulation();
            end = tokens.play(alone ? cli.out() : cli.err(), cli.environment());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
        try {
            return simulation == null ? untilInterrupted() : play(simulation);
        } finally {
            end.run();
        }
    }

    private static int untilInterrupted() throws InterruptedException {
        new CountDownLatch(1).await();
        return ExitStatus.DONE;
    }

    private int play(Simulation simulation) throws InterruptedException {
        // To standard error, so that a pipe gets only results.
        PrintWriter progress = cli.interactive() ? cli.err() : null;
        Summary summary = simulation.play(progress, this::print);
        return summary.missed() + summary.forgedTaken() == 0 ? ExitStatus.DONE : ExitStatus.FAILED;
    }

    private void print(Summary summary) {
        PrintWriter out = cli.out();
        out.println(output == Output.Form.json ? SimulationReport.json(summary) : SimulationReport.text(summary));
        out.flush();
    }

    /** @throws IllegalArgumentException when an option makes no sense */
    private Simulation simulation() throws IOException {
        if (targets.isEmpty()) {
            throw new IllegalArgumentException("--to: nothing (expected: the Webhook URL, or --serve-tokens)");
        }
        if (!HeaderName.fits(signatureHeader)) {
            throw new IllegalArgumentException("--signature-header: " + signatureHeader + " (expected: "
                    + HeaderName.EXPECTED + ", none that HTTP itself uses)");
        }
        Script script = new Script(chosenEvents(), enterpriseToken, clientField, bodySize, oversize);
        long seed = new SecureRandom().nextLong();
        PushSource source =
                new PushSource(script, secret.resolve(cli.environment()).bytes(), Clock.systemUTC(), seed);
        Wire wire = new Wire(targets, signatureHeader, connections, timeout, slowBody, insecure);
        Pace pace = new Pace(rate, duration, count);
        return new Simulation(source, wire, pace, new Faults(faults, faultRate));
    }

    private List<String> chosenEvents() {
        List<String> known = Script.allEvents(visitorEvent);
        List<String> unknown = new ArrayList<>(events);
        unknown.removeAll(known);
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("--events: " + unknown + " (expected: any of " + known
                    + "; --visitor-event names the last one, --fault unknown-event sends others)");
        }
        return events.isEmpty() ? known : events;
    }
}
