package dev.holdfast.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Completions of a command line for the shell fish: one {@code complete} for each verb and option. */
final class FishCompletion {
    private final String name;
    private final StringBuilder script = new StringBuilder();

    FishCompletion(String name) {
        this.name = name;
    }

    String of(CommandLine root) {
        line("complete -c " + name + " -f");
        add(root, List.of());
        return script.toString();
    }

    private void add(CommandLine verb, List<String> path) {
        String here = condition(verb, path);
        verb.getSubcommands()
                .forEach((verbName, one) -> line(complete(here) + " -a " + verbName + description(described(one))));
        for (PositionalParamSpec parameter : verb.getCommandSpec().positionalParameters()) {
            values(parameter).forEach(value -> line(complete(here) + " -a " + quoted(value)));
        }
        for (OptionSpec option : verb.getCommandSpec().options()) {
            line(complete(here) + names(option) + argument(option) + description(first(option.description())));
        }
        verb.getSubcommands().forEach((verbName, one) -> {
            List<String> deeper = new ArrayList<>(path);
            deeper.add(verbName);
            add(one, deeper);
        });
    }

    /** True where the words so far lead to this verb and to none of its own. */
    private static String condition(CommandLine verb, List<String> path) {
        StringBuilder condition = new StringBuilder();
        for (String word : path) {
            condition.append("__fish_seen_subcommand_from ").append(word).append("; and ");
        }
        return verb.getSubcommands().isEmpty()
                ? condition.append("true").toString()
                : condition
                        .append("not __fish_seen_subcommand_from ")
                        .append(String.join(" ", verb.getSubcommands().keySet()))
                        .toString();
    }

    private String complete(String condition) {
        return "complete -c " + name + " -n " + quoted(condition);
    }

    private static String names(OptionSpec option) {
        StringBuilder names = new StringBuilder();
        for (String each : option.names()) {
            names.append(each.startsWith("--") ? " -l " + each.substring(2) : " -s " + each.substring(1));
        }
        return names.toString();
    }

    private static String argument(OptionSpec option) {
        if (option.arity().max() == 0) {
            return "";
        }
        List<String> values = values(option);
        boolean file = option.paramLabel().equals("FILE") || option.paramLabel().equals("DIR");
        return values.isEmpty() ? (file ? " -r -F" : " -x") : " -x -a " + quoted(String.join(" ", values));
    }

    private static List<String> values(ArgSpec argument) {
        Class<?> type = argument.isMultiValue() && argument.auxiliaryTypes().length > 0
                ? argument.auxiliaryTypes()[0]
                : argument.type();
        return type.isEnum()
                ? Arrays.stream(type.getEnumConstants()).map(Object::toString).toList()
                : List.of();
    }

    private static String described(CommandLine verb) {
        return first(verb.getCommandSpec().usageMessage().description());
    }

    private static String first(String[] description) {
        return description.length == 0 ? "" : description[0];
    }

    private static String description(String text) {
        // Picocli replaces these variables only in the help.
        String plain = text.replaceAll("\\$\\{[^}]*}", "…").replaceAll("\\s+", " ");
        return plain.isEmpty() ? "" : " -d " + quoted(plain);
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }

    private void line(String line) {
        script.append(line).append('\n');
    }
}
