package dev.holdfast.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code journal}: what a stopped gateway has on its disk. */
@Command(
        name = "journal",
        description = {
            "Looks at the data directory of a gateway that doesn't run, or at a copy of one, and changes nothing in it.",
            "A directory that a running gateway holds, or that a newer version wrote, is refused with exit status 2."
        })
final class JournalCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Without a verb of its own: the usage. */
    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitStatus.USED_WRONGLY;
    }
}
