package dev.holdfast.cli;

import dev.holdfast.config.ConfigLoader;
import dev.holdfast.config.ConfigWatch;
import dev.holdfast.config.ConsumerCheck;
import dev.holdfast.config.HoldfastConfig;
import dev.holdfast.config.LoadedConfig;
import dev.holdfast.logging.Logs;
import dev.holdfast.push.PushWatcher;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** {@code run}: the gateway, until it is told to stop. */
final class RunCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(RunCommand.class);
    private static final long WATCH_SECONDS = 1;

    private final CliEnvironment cli;
    private final GatewayStarter starter;
    private final ConsumerCheck check;

    private final OptionSpec file = ConfigFile.option();

    RunCommand(CliEnvironment cli, GatewayStarter starter, ConsumerCheck check) {
        this.cli = cli;
        this.starter = starter;
        this.check = check;
    }

    /** Its options are not read from annotations: that would take a fifteenth of a start. */
    CommandLine commandLine() {
        CommandSpec spec = CommandSpec.wrapWithoutInspection(this).name("run").addOption(file);
        spec.usageMessage()
                .description("Runs the gateway until SIGTERM or Ctrl-C, then drains and ends with status 0.");
        return new CommandLine(spec);
    }

    @Override
    public Integer call() throws InterruptedException {
        ScheduledExecutorService watching = Executors.newSingleThreadScheduledExecutor();
        CompletableFuture<ConfigWatch> started = new CompletableFuture<>();
        // First of all: a SIGHUP during the start, or right after it, would end the gateway.
        HangUp.handle(() -> {
            var unused =
                    started.thenAcceptAsync(watch -> safely(() -> load(watch)).run(), watching);
        });
        Path path = file.getValue();
        LoadedConfig loaded = ConfigLoader.read(path, cli.environment(), check);
        Logs.level(loaded.config().logging().level());
        loaded.warnings().forEach(LOG::warn);
        RunningGateway gateway = start(loaded.config());
        Supplier<LoadedConfig> reader = () -> ConfigLoader.readAgain(path, cli.environment(), check);
        ConfigWatch watch = new ConfigWatch(reader, loaded, gateway.reload());
        watching.scheduleWithFixedDelay(safely(watch::check), WATCH_SECONDS, WATCH_SECONDS, TimeUnit.SECONDS);
        started.complete(watch);
        return Shutdown.await(() -> {
            watching.shutdown();
            gateway.stop();
        });
    }

    private RunningGateway start(HoldfastConfig config) {
        Shutdown.starting();
        try {
            return starter.start(config, PushWatcher.NONE, Shutdown::stopBy);
        } catch (Throwable e) {
            Shutdown.failed();
            throw e;
        }
    }

    private static void load(ConfigWatch watch) {
        LOG.info("SIGHUP: the configuration is read again");
        if (!watch.load()) {
            LOG.info("nothing in the configuration differs from what is in force");
        }
    }

    /** A check that fails, whatever with, doesn't end the checks. */
    private static Runnable safely(Runnable check) {
        return () -> {
            try {
                check.run();
            } catch (Throwable e) {
                LOG.error("the configuration could not be looked at", e);
            }
        };
    }
}
