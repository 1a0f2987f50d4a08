package dev.holdfast.cli;

import ch.qos.logback.classic.Level;
import dev.holdfast.config.ConfigLoader;
import dev.holdfast.config.HoldfastConfig;
import dev.holdfast.simulator.Faults;
import dev.holdfast.simulator.Pace;
import dev.holdfast.simulator.Platform;
import dev.holdfast.simulator.PushSource;
import dev.holdfast.simulator.Script;
import dev.holdfast.simulator.Summary;
import dev.holdfast.simulator.Wire;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code demo}: a gateway and a simulated platform in one process, on a temporary directory. */
@Command(
        name = "demo",
        description = "Runs a gateway and a simulated platform in one process, on a temporary directory, and shows each"
                + " push's way until Ctrl-C.")
final class DemoCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(DemoCommand.class);
    private static final int SECRET_BYTES = 32;
    private static final long SETTLE_MILLIS = 10_000;

    private final CliEnvironment cli;
    private final GatewayStarter starter;

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
        quietLogs();
        Pace pace = new Pace(rate, null, count == null ? Long.MAX_VALUE : count);
        PrintWriter out = cli.out();
        DemoTrail trail = new DemoTrail(out);
        DemoDirectory directory = DemoDirectory.create();
        String secret = newSecret();
        Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setPreferNativeTransport(true));
        DemoTokens tokens = new DemoTokens(vertx, out, newSecret());
        RunningGateway gateway = starter.start(configuration(directory, secret, tokens), trail);
        Platform platform = platform(vertx, gateway, secret, pace, trail);
        greet(out, gateway);
        Future<Summary> played = platform.run().andThen((summary, failure) -> Shutdown.begin());
        return Shutdown.await(() -> {
            platform.stop();
            awaitAnswers(played);
            trail.settle(SETTLE_MILLIS);
            gateway.stop();
            vertx.close().await();
            directory.delete();
            out.println("Drained and stopped: " + trail.summary() + ".");
            out.flush();
        });
    }

    /** A push under way is not over before its answer is here. */
    private static void awaitAnswers(Future<Summary> played) {
        try {
            played.await(SETTLE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            LOG.warn("after {} ms some pushes are not answered yet", SETTLE_MILLIS);
        }
    }

    /** The trail is what is to be seen; the gateway's own lines would stand between. */
    private void quietLogs() {
        if (!cli.environment().containsKey("HOLDFAST_LOG_LEVEL")
                && LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME) instanceof ch.qos.logback.classic.Logger root) {
            root.setLevel(Level.WARN);
        }
    }

    private static String newSecret() {
        byte[] random = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }

    private static HoldfastConfig configuration(DemoDirectory directory, String secret, DemoTokens tokens) {
        Map<String, String> variables = new HashMap<>(tokens.variables());
        variables.put("SECRET", secret);
        variables.put("DIRECTORY", directory.path().toString());
        return ConfigLoader.load(directory.configuration(), variables);
    }

    private static Platform platform(Vertx vertx, RunningGateway gateway, String secret, Pace pace, DemoTrail trail) {
        PushSource source = new PushSource(
                Script.standard(),
                secret.getBytes(StandardCharsets.UTF_8),
                Clock.systemUTC(),
                new SecureRandom().nextLong());
        URI target = URI.create("http://127.0.0.1:" + gateway.port() + "/webhook");
        return new Platform(
                vertx, source, Wire.to(target), pace, Faults.none(), (push, answer) -> trail.answered(answer));
    }

    private static void greet(PrintWriter out, RunningGateway gateway) {
        out.printf("A gateway takes pushes at      http://127.0.0.1:%d/webhook%n", gateway.port());
        out.printf("It shows how it is doing at    http://127.0.0.1:%d/metrics%n", gateway.managementPort());
        out.printf("Its access token's state is at http://127.0.0.1:%d/api/v1/token%n", gateway.managementPort());
        out.printf(
                "A simulated platform sends it signed pushes of every documented topic. Ctrl-C drains and stops.%n%n");
        out.flush();
    }
}
