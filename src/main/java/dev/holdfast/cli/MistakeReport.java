package dev.holdfast.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says in a line what is wrong with a command line, and where help is. */
final class MistakeReport implements IParameterExceptionHandler {
    @Override
    public int handleParseException(ParameterException mistake, String[] args) {
        CommandLine verb = mistake.getCommandLine();
        PrintWriter err = verb.getErr();
        err.println("holdfast: " + message(mistake));
        if (isRoot(verb)) {
            UnmatchedArgumentException.printSuggestions(mistake, err);
        }
        err.println("Try '" + verb.getCommandSpec().qualifiedName() + " --help'.");
        return ExitStatus.USED_WRONGLY;
    }

    private static String message(ParameterException mistake) {
        if (mistake instanceof UnmatchedArgumentException unmatched && !isRoot(mistake.getCommandLine())) {
            return unmatched(unmatched.getUnmatched(), mistake.getCommandLine());
        }
        String message = mistake.getMessage();
        // Picocli quotes the argument that stands where a value should: a secret that looks like an option.
        return message == null
                ? mistake.getClass().getSimpleName()
                : message.lines().findFirst().orElse(message).replaceFirst(" but found '.*", "");
    }

    /** A verb's stray argument may be part of a secret that was not quoted, so only an option's name is shown. */
    private static String unmatched(List<String> arguments, CommandLine verb) {
        String first = arguments.get(0);
        if (first.startsWith("--")) {
            return "found the option " + first.replaceFirst("=.*", "") + ", which this verb does not have";
        }
        Set<String> verbs = new TreeSet<>(verb.getSubcommands().keySet());
        return "found an argument (not shown: it may be a secret), expected "
                + (verbs.isEmpty() ? "options only" : "one of: " + String.join(", ", verbs));
    }

    private static boolean isRoot(CommandLine verb) {
        return verb.getParent() == null;
    }
}
