package dev.holdfast.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code holdfast}: the root of the command line. Exit status: 0 done, 1 failed, 2 used wrongly. */
@Command(
        name = "holdfast",
        description = "A webhook gateway that verifies, keeps and delivers every push.",
        mixinStandardHelpOptions = true,
        subcommands = {SimulateCommand.class})
public final class HoldfastCommand {
    private HoldfastCommand() {}

    /** Runs one command line and returns its exit status. */
    public static int execute(String... args) {
        return new CommandLine(new HoldfastCommand()).execute(args);
    }
}
