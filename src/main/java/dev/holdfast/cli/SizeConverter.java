package dev.holdfast.cli;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Sizes in memory as in the configuration: {@code 3000}, {@code 3KiB}, {@code 8MiB}; up to 1 GiB. */
final class SizeConverter implements ITypeConverter<Integer> {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,10})(B|KiB|MiB|GiB)?");
    private static final Map<String, Long> UNITS = Map.of("B", 1L, "KiB", 1L << 10, "MiB", 1L << 20, "GiB", 1L << 30);
    private static final long MOST = 1L << 30;

    @Override
    public Integer convert(String text) {
        Matcher matcher = FORM.matcher(text);
        if (matcher.matches()) {
            String unit = matcher.group(2);
            long bytes = Long.parseLong(matcher.group(1)) * (unit == null ? 1 : UNITS.getOrDefault(unit, 1L));
            if (bytes <= MOST) {
                return Math.toIntExact(bytes);
            }
        }
        throw new TypeConversionException("'" + text + "' (expected: a size up to 1GiB such as 3000, 3KiB or 8MiB)");
    }
}
