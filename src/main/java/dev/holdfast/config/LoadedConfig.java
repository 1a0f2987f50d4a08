package dev.holdfast.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A configuration that can be used.
 *
 * @param warnings what is unwise in it, one line for each, fit to be shown
 * @param files that it was read from or depends on, each with a digest of its content: its own file, those named by
 *     {@code ${file:...}}, and PEM files
 */
public record LoadedConfig(HoldfastConfig config, List<String> warnings, Map<Path, String> files) {
    public LoadedConfig {
        warnings = List.copyOf(warnings);
        files = Map.copyOf(files);
    }
}
