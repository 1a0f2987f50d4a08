package dev.holdfast.cli;

import dev.holdfast.config.ConfigLoader;
import dev.holdfast.config.ConsumerCheck;
import dev.holdfast.config.HoldfastConfig;
import dev.holdfast.config.LoadedConfig;
import dev.holdfast.logging.Counted;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code holdfast validate}: checks a configuration as {@code run} would, starting nothing. */
@Command(
        name = "validate",
        description = {
            "Checks a configuration as run does before it opens anything: the files it names, consumers' classes and"
                    + " shipped consumers' options included.",
            "Exit status 0 when it can be used, else 1."
        })
final class ValidateCommand implements Callable<Integer> {
    private final CliEnvironment cli;
    private final ConsumerCheck check;

    @Mixin
    private ConfigFile file = new ConfigFile();

    ValidateCommand(CliEnvironment cli, ConsumerCheck check) {
        this.cli = cli;
        this.check = check;
    }

    @Override
    public Integer call() {
        LoadedConfig loaded = ConfigLoader.read(file.path(), cli.environment(), check);
        loaded.warnings().forEach(warning -> cli.err().println("warning: " + warning));
        HoldfastConfig config = loaded.config();
        cli.out()
                .println(file.path() + " is valid: "
                        + Counted.of(config.receiver().endpoints().size(), "endpoint") + ", "
                        + Counted.of(config.consumers().size(), "consumer"));
        return ExitStatus.DONE;
    }
}
