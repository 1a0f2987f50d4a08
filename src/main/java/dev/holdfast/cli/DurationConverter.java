package dev.holdfast.cli;

import dev.holdfast.config.TimeSpan;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Durations as in the configuration. */
final class DurationConverter implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
        return TimeSpan.parse(text)
                .orElseThrow(() -> new TypeConversionException(
                        "'" + text + "' (expected: a duration such as 500ms, 10s, 5m or 1h)"));
    }
}
