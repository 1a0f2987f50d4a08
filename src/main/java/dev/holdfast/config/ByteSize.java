package dev.holdfast.config;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The written form of sizes: {@code 512}, {@code 512B}, {@code 64KiB}, {@code 8MiB}, {@code 1GiB}, {@code 2TiB}. */
public final class ByteSize {
    private static final Pattern FORM = Pattern.compile("(\\d{1,18})(B|KiB|MiB|GiB|TiB)?");
    private static final List<String> UNITS = List.of("B", "KiB", "MiB", "GiB", "TiB");

    private ByteSize() {}

    /** Bytes; empty when the text is no size or one past 8 EiB. */
    public static Optional<Long> parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            return Optional.empty();
        }
        long number = Long.parseLong(form.group(1));
        int shift = form.group(2) == null ? 0 : 10 * UNITS.indexOf(form.group(2));
        return number > Long.MAX_VALUE >> shift ? Optional.empty() : Optional.of(number << shift);
    }

    /** The shortest way to write so many bytes exactly. */
    public static String show(long bytes) {
        int unit = 0;
        long number = bytes;
        while (number != 0 && number % 1024 == 0 && unit < UNITS.size() - 1) {
            number /= 1024;
            unit++;
        }
        return number + UNITS.get(unit);
    }
}
