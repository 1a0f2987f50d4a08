package dev.holdfast.cli;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option that names the configuration, for every verb that has it. */
final class ConfigFile {
    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            defaultValue = "conf/holdfast.yaml",
            description = "The configuration. Default: ${DEFAULT-VALUE}")
    private Path path = Path.of("conf/holdfast.yaml");

    Path path() {
        return path;
    }
}
