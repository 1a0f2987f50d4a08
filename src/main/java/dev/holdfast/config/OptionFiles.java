package dev.holdfast.config;

import java.nio.file.Path;
import java.util.Map;

/**
 * The files that a consumer's options name and that it reads as it starts, such as certificates, each with a digest of what was in
 * it before it was looked at. Two are equal when nothing in them has changed.
 */
public record OptionFiles(Map<Path, String> digests) {
    /** Of a consumer that was not looked at, or names none. */
    static final OptionFiles NONE = new OptionFiles(Map.of());

    public OptionFiles {
        digests = Map.copyOf(digests);
    }
}
