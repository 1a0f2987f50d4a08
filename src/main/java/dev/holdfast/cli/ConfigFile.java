package dev.holdfast.cli;

import java.nio.file.Path;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/** The option that names the configuration, for every verb that has it. */
final class ConfigFile {
    static final String SHORT = "-c";
    static final String LONG = "--config";
    private static final String LABEL = "FILE";
    private static final String DEFAULT = "conf/holdfast.yaml";
    private static final String DESCRIPTION = "The configuration. Default: ${DEFAULT-VALUE}";

    @Option(
            names = {SHORT, LONG},
            paramLabel = LABEL,
            defaultValue = DEFAULT,
            description = DESCRIPTION)
    private Path path = Path.of(DEFAULT);

    Path path() {
        return path;
    }

    /** The same, for a verb whose options aren't read from annotations: the path is its value. */
    static OptionSpec option() {
        return OptionSpec.builder(SHORT, LONG)
                .paramLabel(LABEL)
                .defaultValue(DEFAULT)
                .description(DESCRIPTION)
                .type(Path.class)
                .build();
    }
}
