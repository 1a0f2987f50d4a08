package dev.holdfast.cli;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Spec;

/** Options that choose some of many things, each named as in the API. */
abstract class Choice {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** The options that were given, as the API wants them. */
    final RequestParameters fields() {
        RequestParameters fields = new RequestParameters();
        spec.options().forEach(option -> fields.putOption(option.longestName(), option.getValue()));
        return fields;
    }

    /** The options' names, for a message to somebody who gives none. */
    final String options() {
        List<String> names =
                spec.options().stream().map(OptionSpec::longestName).toList();
        return String.join(", ", names.subList(0, names.size() - 1)) + " or " + names.get(names.size() - 1);
    }
}
