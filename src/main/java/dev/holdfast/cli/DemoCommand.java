package dev.holdfast.cli;

import ch.qos.logback.classic.Level;
import dev.holdfast.cli.terminal.Style;
import dev.holdfast.cli.terminal.Terminal;
import dev.holdfast.config.ConfigLoader;
import dev.holdfast.config.ConfigWatch;
import dev.holdfast.config.LoadedConfig;
import dev.holdfast.logging.Logs;
import dev.holdfast.simulator.Pace;
import io.vertx.core.Vertx;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code demo}: a gateway and a simulated platform in one process, on a temporary directory. */
@Command(
        name = "demo",
        description = {
            "Runs a gateway and a simulated platform in one process, on a temporary directory, and shows what becomes of each push"
                    + " until Ctrl-C. Bursts come, a consumer fails now and then, and one endpoint's secret is out of date.",
            "The management port is that which the other verbs ask, 8081, where it is free."
        })
final class DemoCommand implements Callable<Integer> {
    private static final long SETTLE_MILLIS = 10_000;
    private static final int MANAGEMENT_PORT = 8081;
    private static final int ANY_PORT = 0;
    private static final int WATCH_MILLIS = 1_000;

    private record Started(LoadedConfig config, RunningGateway gateway) {}

    private final CliEnvironment cli;
    private final GatewayStarter starter;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--rate", paramLabel = "N", description = "Pushes per second (default: ${DEFAULT-VALUE}).")
    private double rate = 4;

    @Option(names = "--count", paramLabel = "N", description = "End by itself after so many pushes.")
    private @Nullable Long count;

    DemoCommand(CliEnvironment cli, GatewayStarter starter) {
        this.cli = cli;
        this.starter = starter;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Pace pace = pace();
        quietLogs();
        DemoTrail trail = new DemoTrail(cli);
        Path directory = Files.createTempDirectory("holdfast-demo-");
        Path configuration = configuration(directory);
        Vertx vertx = Simulation.vertx();
        DemoPlatform platform = new DemoPlatform(vertx, trail);
        Map<String, String> variables = platform.open();
        variables.putAll(Map.of("DIRECTORY", directory.toString(), "CRM_URL", new DemoCrm(vertx, trail).url()));
        Started started = start(configuration, variables, trail, MANAGEMENT_PORT);
        RunningGateway gateway = started.gateway();
        greet(gateway, configuration);
        trail.show();
        ConfigWatch watch =
                new ConfigWatch(() -> ConfigLoader.read(configuration, variables), started.config(), gateway.reload());
        long watching =
                vertx.setPeriodic(WATCH_MILLIS, timer -> vertx.executeBlocking(Executors.callable(watch::check)));
        platform.start(gateway.port(), pace, () -> Shutdown.begin(ExitStatus.DONE));
        return Shutdown.await(() -> {
            vertx.cancelTimer(watching);
            platform.stop(SETTLE_MILLIS);
            trail.settle(SETTLE_MILLIS);
            gateway.stop();
            vertx.fileSystem().deleteRecursiveBlocking(directory.toString());
            vertx.close().await();
            cli.out().println("Drained and stopped: " + trail.summary() + ".");
            cli.out().flush();
        });
    }

    private Pace pace() {
        try {
            return new Pace(rate, null, count);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    private static Path configuration(Path directory) throws IOException {
        Path configuration = directory.resolve("demo.yaml");
        try (InputStream yaml = DemoCommand.class.getResourceAsStream("/demo.yaml")) {
            Files.copy(Objects.requireNonNull(yaml, "demo.yaml is missing from the jar"), configuration);
        }
        return configuration;
    }

    /** Starts on another management port if somebody else has the wanted one. */
    private Started start(Path configuration, Map<String, String> variables, DemoTrail trail, int managementPort) {
        variables.put("MANAGEMENT_PORT", Integer.toString(managementPort));
        LoadedConfig loaded = ConfigLoader.read(configuration, variables);
        try {
            return new Started(loaded, starter.start(loaded.config(), trail, stop -> {}));
        } catch (RuntimeException e) {
            if (managementPort == ANY_PORT) {
                throw e;
            }
            return start(configuration, variables, trail, ANY_PORT);
        }
    }

    /**
     * Silences the log: the trail shows everything, failures and refusals included, and log lines would stand between
     * its lines.
     */
    private static void quietLogs() {
        if (Logs.level("warn")) {
            quiet("dev.holdfast.delivery");
            quiet("dev.holdfast.receiver");
        }
    }

    private static void quiet(String name) {
        if (LoggerFactory.getLogger(name) instanceof ch.qos.logback.classic.Logger logger) {
            logger.setLevel(Level.OFF);
        }
    }

    private void greet(RunningGateway gateway, Path configuration) {
        PrintWriter out = cli.out();
        Terminal terminal = cli.terminal();
        String console = "http://127.0.0.1:" + gateway.managementPort() + "/";
        out.println("The console                " + terminal.paint(Style.BOLD, console));
        out.println("Pushes are taken at        http://127.0.0.1:" + gateway.port() + "/webhook");
        out.println("The configuration          " + configuration);
        String management = gateway.managementPort() == MANAGEMENT_PORT
                ? ""
                : " --management http://127.0.0.1:" + gateway.managementPort();
        String program = program(System.getProperty("java.class.path", ""));
        out.println("In another terminal        " + program + " status" + management);
        out.println();
        out.println("A simulated platform sends signed pushes of every documented topic, in");
        out.println("bursts. On purpose the consumer crm fails now and then, and one endpoint has");
        out.println("an old secret. 7/8: of 8 pushes 7 are handled by all that want them. Ctrl-C");
        out.println("drains and stops.");
        out.println();
        out.flush();
    }

    /** How this program was started: as the jar, or else as the command of that name. */
    static String program(String classPath) {
        return classPath.endsWith(".jar") && !classPath.contains(File.pathSeparator)
                ? "java -jar " + RequestParameters.quoted(classPath)
                : "holdfast";
    }
}
