package dev.holdfast.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A verb that has verbs of its own, such as {@code pushes}: a method for each. Without one: the usage. */
class VerbGroup implements Callable<Integer> {
    @Spec
    CommandSpec spec = CommandSpec.create();

    @Override
    public final Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitStatus.USED_WRONGLY;
    }
}
