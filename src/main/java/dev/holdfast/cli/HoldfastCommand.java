package dev.holdfast.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code holdfast}: the root of the command line. Exit status: 0 done, 1 failed, 2 used wrongly. */
@Command(
        name = "holdfast",
        description = "A webhook gateway that verifies, keeps and delivers every push.",
        mixinStandardHelpOptions = true,
        subcommands = {RunCommand.class, DemoCommand.class, SimulateCommand.class})
public final class HoldfastCommand {
    private final GatewayStarter starter;

    private HoldfastCommand(GatewayStarter starter) {
        this.starter = starter;
    }

    /** Runs one command line and returns its exit status. */
    public static int execute(GatewayStarter starter, String... args) {
        return new CommandLine(new HoldfastCommand(starter)).execute(args);
    }

    /** What starts a gateway, for the verbs below {@code root}. */
    static GatewayStarter starter(@Nullable HoldfastCommand root) {
        if (root == null) {
            throw new IllegalStateException("the verb was run without the root of the command line");
        }
        return root.starter;
    }
}
