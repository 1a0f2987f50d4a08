package dev.holdfast.cli;

import dev.holdfast.build.BuildInfo;
import dev.holdfast.config.ConsumerCheck;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ScopeType;

/**
 * {@code holdfast}: the root of the command line. Its exit status is one of {@link ExitStatus}.
 */
public final class HoldfastCommand {
    private HoldfastCommand() {}

    /**
     * Runs one command line in a given environment and returns its exit status.
     *
     * @param starter starts a gateway for the verbs that need one
     * @param check looks at the consumers of a configuration
     */
    public static int execute(CliEnvironment cli, GatewayStarter starter, ConsumerCheck check, String... args) {
        int status = commandLine(verbs(cli, starter, check), args)
                .setOut(cli.out())
                .setErr(cli.err())
                .setParameterExceptionHandler(new MistakeReport())
                .setExecutionExceptionHandler(new FailureReport())
                .execute(args);
        return cli.out().checkError() ? cli.outputFailed() : status;
    }

    /** Knows the first argument's verb alone if it is one, and else all, to name them: to make them all takes a while. */
    private static CommandLine commandLine(Map<String, Supplier<Object>> verbs, String... args) {
        CommandLine root = root();
        boolean asked = args.length > 0 && verbs.containsKey(args[0]);
        verbs.forEach((name, verb) -> {
            if (!asked || name.equals(args[0])) {
                root.addSubcommand(name, verb.get());
            }
        });
        showVersion(root);
        return root;
    }

    private static void showVersion(CommandLine verb) {
        verb.getCommandSpec().versionProvider(() -> new String[] {"holdfast " + BuildInfo.ofProcess()});
        verb.getSubcommands().values().forEach(HoldfastCommand::showVersion);
    }

    /** Its options are every verb's. In code, as those of {@link RunCommand}: each start reads them. */
    private static CommandLine root() {
        CommandLine root = VerbGroup.of("holdfast", "A webhook gateway that verifies, keeps and delivers every push.");
        root.getCommandSpec()
                .addOption(OptionSpec.builder("-h", "--help")
                        .usageHelp(true)
                        .scopeType(ScopeType.INHERIT)
                        .description("Show this help message and exit.")
                        .build())
                .addOption(OptionSpec.builder("-V", "--version")
                        .versionHelp(true)
                        .scopeType(ScopeType.INHERIT)
                        .description("Print version information and exit.")
                        .build());
        return root;
    }

    private static Map<String, Supplier<Object>> verbs(
            CliEnvironment cli, GatewayStarter starter, ConsumerCheck check) {
        Map<String, Supplier<Object>> verbs = new LinkedHashMap<>();
        verbs.put("run", () -> new RunCommand(cli, starter, check).commandLine());
        verbs.put("demo", () -> new DemoCommand(cli, starter));
        verbs.put("simulate", () -> new SimulateCommand(cli).commandLine());
        verbs.put("validate", () -> new ValidateCommand(cli, check));
        verbs.put("sign", () -> new SignCommand(cli));
        verbs.put("verify", () -> new VerifyCommand(cli));
        verbs.put("token", () -> token(cli));
        verbs.put("status", () -> new StatusCommand(cli));
        verbs.put("tap", () -> new TapCommand(cli));
        verbs.put("pushes", () -> pushes(cli));
        verbs.put("consumers", () -> consumers(cli));
        verbs.put("dead-letters", () -> deadLetters(cli));
        verbs.put("quarantine", () -> quarantine(cli));
        verbs.put("journal", () -> journal(cli));
        verbs.put("ledger", () -> new LedgerCommand(cli));
        verbs.put("audit", () -> new AuditCommand(cli));
        verbs.put("completion", () -> new CompletionCommand(cli, () -> commandLine(verbs)));
        return verbs;
    }

    private static CommandLine token(CliEnvironment cli) {
        return VerbGroup.of("token", "Shows a running gateway's access token's state, or gives it a code.")
                .addSubcommand(new TokenStatusCommand(cli))
                .addSubcommand(new TokenExchangeCommand(cli));
    }

    private static CommandLine pushes(CliEnvironment cli) {
        return VerbGroup.of("pushes", "Shows what is in a running gateway's journal, or delivers it again.")
                .addSubcommand(new PushesListCommand(cli))
                .addSubcommand(new PushesGetCommand(cli))
                .addSubcommand(new PushesReplayCommand(cli));
    }

    private static CommandLine consumers(CliEnvironment cli) {
        return VerbGroup.of(
                        "consumers",
                        "Shows how it stands with a running gateway's consumers, or pauses or resumes one.")
                .addSubcommand(new ConsumersListCommand(cli))
                .addSubcommand(new ConsumersGetCommand(cli))
                .addSubcommand(consumerSwitch(
                        cli, "pause", "Gives a consumer no more pushes until it is resumed, also over a restart."))
                .addSubcommand(consumerSwitch(cli, "resume", "Lets a paused consumer go on where it was."));
    }

    private static CommandLine consumerSwitch(CliEnvironment cli, String action, String description) {
        CommandLine verb = new CommandLine(new ConsumerSwitchCommand(cli, action));
        verb.getCommandSpec().name(action).usageMessage().description(description);
        return verb;
    }

    private static CommandLine deadLetters(CliEnvironment cli) {
        return VerbGroup.of(
                        "dead-letters",
                        "Shows, retries or discards what consumers of a running gateway failed for good.")
                .addSubcommand(new DeadLettersListCommand(cli))
                .addSubcommand(new DeadLettersGetCommand(cli))
                .addSubcommand(new DeadLettersRetryCommand(cli))
                .addSubcommand(new DiscardCommand(cli, "/dead-letters/discard", new DeadLetterChoice()))
                .addSubcommand(new DeadLettersDiscardedCommand(cli));
    }

    private static CommandLine quarantine(CliEnvironment cli) {
        return VerbGroup.of(
                        "quarantine",
                        "Shows what a running gateway refused because its signature did not match, checks it again or discards it.")
                .addSubcommand(new QuarantineListCommand(cli))
                .addSubcommand(new QuarantineGetCommand(cli))
                .addSubcommand(new QuarantineVerifyCommand(cli))
                .addSubcommand(new DiscardCommand(cli, "/quarantine/discard", new QuarantineChoice()));
    }

    private static CommandLine journal(CliEnvironment cli) {
        return VerbGroup.of(
                        "journal",
                        "Looks at the data directory of a gateway that doesn't run, or at a copy of one, and changes nothing in it.",
                        "A directory that a running gateway holds, or that a newer version wrote, is refused with exit status 2.")
                .addSubcommand(new JournalInspectCommand(cli))
                .addSubcommand(new JournalVerifyCommand(cli))
                .addSubcommand(new JournalExportCommand(cli));
    }
}
