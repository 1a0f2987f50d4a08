package dev.holdfast.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A configuration that can be used.
 *
 * @param warnings what is unwise in it, a line each, fit to be shown
 * @param files whose content it was made of or judged by, each with a digest of that: its own, what {@code ${file:...}} named
 *     in it, and PEM files
 */
public record LoadedConfig(HoldfastConfig config, List<String> warnings, Map<Path, String> files) {
    public LoadedConfig {
        warnings = List.copyOf(warnings);
        files = Map.copyOf(files);
    }
}
