package dev.holdfast.cli;

import dev.holdfast.config.ConsumerCheck;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * {@code holdfast}: the root of the command line. Exit status: {@value #DONE} done, {@value #FAILED} failed,
 * {@value #USED_WRONGLY} used wrongly.
 */
@Command(
        name = "holdfast",
        description = "A webhook gateway that verifies, keeps and delivers every push.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        // Every verb has --help and --version by this.
        scope = ScopeType.INHERIT)
public final class HoldfastCommand implements Callable<Integer> {
    static final int DONE = 0;
    static final int FAILED = 1;
    static final int USED_WRONGLY = 2;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private HoldfastCommand() {}

    /**
     * Runs one command line in given surroundings and returns its exit status.
     *
     * @param starter starts a gateway for the verbs that need one
     * @param check looks at the consumers of a configuration
     */
    public static int execute(Surroundings surroundings, GatewayStarter starter, ConsumerCheck check, String... args) {
        return commandLine(surroundings, starter, check)
                .setOut(surroundings.out())
                .setErr(surroundings.err())
                .setParameterExceptionHandler(new MistakeReport())
                .setExecutionExceptionHandler(new FailureReport())
                .execute(args);
    }

    private static CommandLine commandLine(Surroundings surroundings, GatewayStarter starter, ConsumerCheck check) {
        return new CommandLine(new HoldfastCommand())
                .addSubcommand(new RunCommand(surroundings, starter, check))
                .addSubcommand(new DemoCommand(surroundings, starter))
                .addSubcommand(new SimulateCommand(surroundings))
                .addSubcommand(new ValidateCommand(surroundings, check))
                .addSubcommand(new SignCommand(surroundings))
                .addSubcommand(new VerifyCommand(surroundings))
                .addSubcommand(new CommandLine(new TokenCommand())
                        .addSubcommand(new TokenStatusCommand(surroundings))
                        .addSubcommand(new TokenExchangeCommand(surroundings)))
                .addSubcommand(new CommandLine(new PushesCommand())
                        .addSubcommand(new PushesListCommand(surroundings))
                        .addSubcommand(new PushesGetCommand(surroundings))
                        .addSubcommand(new PushesReplayCommand(surroundings)))
                .addSubcommand(new CommandLine(new DeadLettersCommand())
                        .addSubcommand(new DeadLettersListCommand(surroundings))
                        .addSubcommand(new DeadLettersChangeCommand.Retry(surroundings))
                        .addSubcommand(new DeadLettersChangeCommand.Discard(surroundings)));
    }

    /** Without a verb: the usage. */
    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return USED_WRONGLY;
    }
}
