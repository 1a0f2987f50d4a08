package dev.holdfast.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A verb with verbs of its own, such as {@code pushes}, each a method. Without one of these it prints its usage. */
class VerbGroup implements Callable<Integer> {
    @Spec
    CommandSpec spec = CommandSpec.create();

    @Override
    public final Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitStatus.USED_WRONGLY;
    }
}
