package dev.holdfast.cli;

import dev.holdfast.logging.Printable;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says in a line what is wrong with a command line, and where help is. */
final class MistakeReport implements IParameterExceptionHandler {
    private static final Pattern NO_NUMBER =
            Pattern.compile("Invalid value for option '(\\S+)'[^:]*: '(.*)' is not an? (int|long|double)");

    /** The form of a word that may be a mistyped verb. */
    private static final Pattern WORD = Pattern.compile("[A-Za-z][A-Za-z-]*");

    private static final String HIDDEN = "an argument (not shown: it may be a secret)";

    @Override
    public int handleParseException(ParameterException mistake, String[] args) {
        CommandLine verb = mistake.getCommandLine();
        verb.getErr().println("holdfast: " + Printable.line(message(mistake)));
        if (isRoot(verb)) {
            UnmatchedArgumentException.printSuggestions(mistake, verb.getErr());
        }
        return help(verb);
    }

    /** Reports a mistake that was found elsewhere. */
    static int report(CommandLine verb, String mistake) {
        verb.getErr().println("holdfast: " + Printable.line(mistake));
        return help(verb);
    }

    private static int help(CommandLine verb) {
        verb.getErr().println("Try '" + verb.getCommandSpec().qualifiedName() + " --help'.");
        return ExitStatus.USED_WRONGLY;
    }

    private static String message(ParameterException mistake) {
        CommandLine verb = mistake.getCommandLine();
        if (mistake instanceof UnmatchedArgumentException unmatched) {
            String first = unmatched.getUnmatched().get(0);
            return isRoot(verb) ? noVerb(first) : unmatched(first, verb);
        }
        if (mistake instanceof MissingParameterException missing
                && missing.getMissing().stream().anyMatch(ArgSpec::isPositional)) {
            return "found too few arguments" + arguments(verb);
        }
        String message = mistake.getMessage();
        // Picocli quotes a value in the wrong place, an option-like secret, and what is given twice: none of that may
        // be shown.
        return message == null
                ? mistake.getClass().getSimpleName()
                : plain(message.lines().findFirst().orElse(message).replaceFirst(" but found '.*|=\\{.*", ""));
    }

    /** Our words in place of Picocli's for a value that is no number. */
    private static String plain(String message) {
        Matcher wrong = NO_NUMBER.matcher(message);
        return wrong.matches()
                ? wrong.group(1) + ": found " + wrong.group(2) + ", expected a "
                        + (wrong.group(3).equals("double") ? "number" : "whole number")
                : message;
    }

    /**
     * The message for an unknown verb. The word is not shown if it may be a secret, and neither is anything after it.
     */
    private static String noVerb(String first) {
        String found = isOption(first) ? option(first) : WORD.matcher(first).matches() ? first : HIDDEN;
        return "found " + found + ", expected a verb";
    }

    /**
     * The message for an unknown argument. It may be part of a secret that was not quoted, so only an option's name is
     * shown.
     */
    private static String unmatched(String first, CommandLine verb) {
        if (isOption(first)) {
            return "found " + option(first) + ", which this verb does not have" + arguments(verb);
        }
        String arguments = arguments(verb);
        if (!arguments.isEmpty()) {
            return "found too many arguments" + arguments;
        }
        Set<String> verbs = new TreeSet<>(verb.getSubcommands().keySet());
        boolean configured = verb.getCommandSpec().findOption(ConfigFile.LONG) != null;
        String options =
                configured ? "options only; " + ConfigFile.SHORT + " FILE names the configuration" : "options only";
        return "found " + HIDDEN + ", expected " + (verbs.isEmpty() ? options : "one of: " + String.join(", ", verbs));
    }

    private static boolean isOption(String argument) {
        return argument.startsWith("--");
    }

    /** An option's name without its value. */
    private static String option(String argument) {
        int value = argument.indexOf('=');
        return "the option " + (value < 0 ? argument : argument.substring(0, value));
    }

    /** The arguments that a verb takes beside options. */
    private static String arguments(CommandLine verb) {
        StringBuilder labels = new StringBuilder();
        verb.getCommandSpec()
                .positionalParameters()
                .forEach(argument -> labels.append(' ').append(argument.paramLabel()));
        return labels.isEmpty() ? "" : "; expected " + verb.getCommandSpec().qualifiedName() + labels;
    }

    private static boolean isRoot(CommandLine verb) {
        return verb.getParent() == null;
    }
}
