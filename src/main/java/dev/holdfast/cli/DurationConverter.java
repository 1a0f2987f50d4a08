package dev.holdfast.cli;

import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Durations as in the configuration: {@code 500ms}, {@code 10s}, {@code 5m}, {@code 1h}. */
final class DurationConverter implements ITypeConverter<Duration> {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,9})(ms|s|m|h)");
    private static final Map<String, Duration> UNITS = Map.of(
            "ms",
            Duration.ofMillis(1),
            "s",
            Duration.ofSeconds(1),
            "m",
            Duration.ofMinutes(1),
            "h",
            Duration.ofHours(1));

    @Override
    public Duration convert(String text) {
        Matcher matcher = FORM.matcher(text);
        Duration unit = matcher.matches() ? UNITS.get(matcher.group(2)) : null;
        if (unit == null) {
            throw new TypeConversionException("'" + text + "' (expected: a duration such as 500ms, 10s, 5m or 1h)");
        }
        return unit.multipliedBy(Long.parseLong(matcher.group(1)));
    }
}
