package dev.holdfast.cli;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Spec;

/** Options that say which of many are meant, each called as the API calls it. */
abstract class Choice {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Those that were given, as the API wants them. */
    final RequestParameters fields() {
        RequestParameters fields = new RequestParameters();
        spec.options().forEach(option -> fields.putOption(option.longestName(), option.getValue()));
        return fields;
    }

    /** Their names, for whoever has to give one and gives none. */
    final String options() {
        List<String> names =
                spec.options().stream().map(OptionSpec::longestName).toList();
        return String.join(", ", names.subList(0, names.size() - 1)) + " or " + names.get(names.size() - 1);
    }
}
