package dev.holdfast.cli;

import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code completion}: a script that teaches a shell the verbs and their options. */
@Command(
        name = "completion",
        description = "Writes a script that completes holdfast's verbs and options in a shell.",
        footer = {
            "",
            "  bash: source <(holdfast completion bash)",
            "  zsh:  autoload -Uz bashcompinit compinit && compinit && bashcompinit && source <(holdfast completion zsh)",
            "  fish: holdfast completion fish | source",
            "",
            "It completes the word holdfast: alias holdfast='java -jar /path/to/holdfast.jar'"
        })
final class CompletionCommand implements Callable<Integer> {
    private static final String NAME = "holdfast";

    private final CliEnvironment cli;
    private final Supplier<CommandLine> whole;

    @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}")
    private Shell shell = Shell.bash;

    /** The shells there is a script for. */
    private enum Shell {
        bash,
        zsh,
        fish
    }

    /** @param whole the command line with all its verbs */
    CompletionCommand(CliEnvironment cli, Supplier<CommandLine> whole) {
        this.cli = cli;
        this.whole = whole;
    }

    @Override
    public Integer call() {
        CommandLine root = whole.get();
        // The script for bash makes zsh able to read it.
        cli.out().print(shell == Shell.fish ? new FishCompletion(NAME).of(root) : AutoComplete.bash(NAME, root));
        cli.out().flush();
        return ExitStatus.DONE;
    }
}
