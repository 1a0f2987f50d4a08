package dev.holdfast.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * A configuration that can be used.
 *
 * @param warnings what is unwise in it, a line each, fit to be shown
 * @param files whose content it was made of or judged by: what {@code ${file:...}} named in it, and PEM files
 */
public record LoadedConfig(HoldfastConfig config, List<String> warnings, Set<Path> files) {
    public LoadedConfig {
        warnings = List.copyOf(warnings);
        files = Set.copyOf(files);
    }
}
