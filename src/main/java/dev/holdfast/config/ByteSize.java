package dev.holdfast.config;

import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The written form of sizes: {@code 512}, {@code 512B}, {@code 64KiB}, {@code 8MiB}, {@code 1GiB}, {@code 2TiB}. */
public final class ByteSize {
    private static final Pattern FORM = Pattern.compile("(\\d{1,18})(B|KiB|MiB|GiB|TiB)?");
    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};

    private ByteSize() {}

    /** Bytes; empty when the text is no size or one past 8 EiB. */
    public static OptionalLong parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            return OptionalLong.empty();
        }
        long number = Long.parseLong(form.group(1));
        int shift = shift(form.group(2) == null ? "B" : form.group(2));
        return number > Long.MAX_VALUE >> shift ? OptionalLong.empty() : OptionalLong.of(number << shift);
    }

    /** The shortest way to write so many bytes exactly. */
    public static String show(long bytes) {
        int unit = 0;
        long number = bytes;
        while (number != 0 && number % 1024 == 0 && unit < UNITS.length - 1) {
            number /= 1024;
            unit++;
        }
        return number + UNITS[unit];
    }

    private static int shift(String unit) {
        int index = 0;
        while (!UNITS[index].equals(unit)) {
            index++;
        }
        return index * 10;
    }
}
