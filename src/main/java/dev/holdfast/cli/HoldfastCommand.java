package dev.holdfast.cli;

import dev.holdfast.build.BuildInfo;
import dev.holdfast.config.ConsumerCheck;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.IFactory;
import picocli.CommandLine.Model.CommandSpec;
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
    public static int execute(CliEnvironment cli, GatewayStarter starter, ConsumerCheck check, String... line) {
        // Java leaves this mark where it could not decode: what was meant is no longer known.
        if (String.join("", line).indexOf('\uFFFD') >= 0) {
            cli.err()
                    .println("holdfast: found an argument that this locale can't decode, expected a UTF-8 locale such"
                            + " as LC_ALL=C.UTF-8");
            return ExitStatus.USED_WRONGLY;
        }
        String[] args = help(line);
        int status = commandLine(cli, verbs(cli, starter, check), args)
                .setOut(cli.out())
                .setErr(cli.err())
                .setParameterExceptionHandler(new MistakeReport())
                .setExecutionExceptionHandler(new FailureReport())
                // A secret may begin with the character that marks a file with arguments.
                .setExpandAtFiles(false)
                .execute(args);
        return cli.out().checkError() ? cli.outputFailed() : status;
    }

    /** {@code help VERB} is another word for {@code VERB --help}. */
    private static String[] help(String... line) {
        if (line.length == 0 || !line[0].equals("help")) {
            return line;
        }
        String[] args = Arrays.copyOfRange(line, 1, line.length + 1);
        args[line.length - 1] = "--help";
        return args;
    }

    /**
     * A command line with only the verb that the first argument names, since making all of them takes a while; with all
     * if it names none.
     */
    private static CommandLine commandLine(CliEnvironment cli, Map<String, Supplier<Object>> verbs, String... args) {
        CommandLine root = root(cli);
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

    /** Its options are also every verb's. Made in code, as those of {@link RunCommand}, since each start reads them. */
    private static CommandLine root(CliEnvironment cli) {
        VerbGroup group = new VerbGroup();
        group.spec = CommandSpec.wrapWithoutInspection(group).name("holdfast");
        group.spec.usageMessage().description("A webhook gateway that verifies, keeps and delivers every push.");
        group.spec
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
        return new CommandLine(group.spec, mixins(cli));
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
        verbs.put("token", () -> new TokenCommand(cli));
        verbs.put("status", StatusCommand::new);
        verbs.put("tap", TapCommand::new);
        verbs.put(
                "pushes",
                () -> new CommandLine(new PushesCommand(), mixins(cli)).addSubcommand(new PushesReplayCommand()));
        verbs.put("consumers", ConsumersCommand::new);
        verbs.put("dead-letters", DeadLettersCommand::new);
        verbs.put("quarantine", QuarantineCommand::new);
        verbs.put(
                "journal",
                () -> new CommandLine(new JournalCommand(cli), mixins(cli))
                        .addSubcommand(new JournalExportCommand(cli)));
        verbs.put("ledger", LedgerCommand::new);
        verbs.put("audit", AuditCommand::new);
        verbs.put("completion", () -> new CompletionCommand(cli, () -> commandLine(cli, verbs)));
        return verbs;
    }

    /** Makes the groups of options that verbs share. */
    private static IFactory mixins(CliEnvironment cli) {
        return new IFactory() {
            @Override
            public <K> K create(Class<K> type) throws Exception {
                return type == GatewayOptions.class
                        ? type.cast(new GatewayOptions(cli))
                        : CommandLine.defaultFactory().create(type);
            }
        };
    }
}
