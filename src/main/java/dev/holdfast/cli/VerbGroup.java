package dev.holdfast.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** A verb that has verbs of its own, such as {@code pushes}. Without one: the usage. */
final class VerbGroup implements Callable<Integer> {
    private final CommandSpec spec = CommandSpec.wrapWithoutInspection(this);

    private VerbGroup() {}

    static CommandLine of(String name, String... description) {
        CommandSpec spec = new VerbGroup().spec.name(name);
        spec.usageMessage().description(description);
        return new CommandLine(spec);
    }

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitStatus.USED_WRONGLY;
    }
}
