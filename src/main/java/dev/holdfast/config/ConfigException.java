package dev.holdfast.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A configuration that can't be used. The message has one line for each problem, in the order of the file:
 * {@code conf/holdfast.yaml:12: receiver.max-body: found "8 apples", expected a size such as 8MiB}. No secret is in it.
 */
public final class ConfigException extends RuntimeException {
    private final transient List<String> problems;
    private final transient Map<Path, String> files;

    ConfigException(List<String> problems, Map<Path, String> files) {
        super(String.join("\n", problems));
        this.problems = List.copyOf(problems);
        this.files = Map.copyOf(files);
    }

    /** The message's lines, one for each problem. */
    public List<String> problems() {
        return problems;
    }

    /** As in {@link LoadedConfig#files}, as far as it was understood. */
    Map<Path, String> files() {
        return files;
    }
}
