package dev.holdfast.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A verb that has verbs of its own, such as {@code pushes}. Without one: the usage. */
@Command
final class VerbGroup implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    private VerbGroup() {}

    static CommandLine of(String name, String... description) {
        CommandLine group = new CommandLine(new VerbGroup());
        group.getCommandSpec().name(name).usageMessage().description(description);
        return group;
    }

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitStatus.USED_WRONGLY;
    }
}
