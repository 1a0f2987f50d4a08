package dev.holdfast.cli;

import dev.holdfast.config.ConfigLoader;
import dev.holdfast.config.ConfigWatch;
import dev.holdfast.config.LoadedConfig;
import dev.holdfast.push.PushWatcher;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code run}: the gateway, until it is told to stop. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        description = "Runs the gateway until SIGTERM or Ctrl-C, then drains and ends with status 0.")
final class RunCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(RunCommand.class);
    private static final long WATCH_SECONDS = 1;

    @ParentCommand
    private @Nullable HoldfastCommand root;

    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            defaultValue = "conf/holdfast.yaml",
            description = "The configuration (default: ${DEFAULT-VALUE}).")
    private Path file = Path.of("conf/holdfast.yaml");

    @Override
    public Integer call() throws InterruptedException {
        Map<String, String> environment = System.getenv();
        LoadedConfig loaded = ConfigLoader.read(file, environment);
        loaded.warnings().forEach(LOG::warn);
        RunningGateway gateway = HoldfastCommand.starter(root).start(loaded.config(), PushWatcher.NONE);
        ConfigWatch watch = new ConfigWatch(file, environment, loaded, gateway::reconfigure);
        ScheduledExecutorService watching = Executors.newSingleThreadScheduledExecutor();
        watching.scheduleWithFixedDelay(watch::check, WATCH_SECONDS, WATCH_SECONDS, TimeUnit.SECONDS);
        return Shutdown.await(() -> {
            watching.shutdownNow();
            gateway.stop();
        });
    }
}
