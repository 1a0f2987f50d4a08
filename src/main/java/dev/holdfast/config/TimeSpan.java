package dev.holdfast.config;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The written form of durations: {@code 500ms}, {@code 30s}, {@code 5m}, {@code 1h}, {@code 7d}. */
public final class TimeSpan {
    /** At most nine digits: so many days still fit into milliseconds. */
    private static final Pattern FORM = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");

    private TimeSpan() {}

    /** Empty when the text is no duration. */
    public static Optional<Duration> parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            return Optional.empty();
        }
        long number = Long.parseLong(form.group(1));
        return Optional.of(
                switch (form.group(2)) {
                    case "ms" -> Duration.ofMillis(number);
                    case "s" -> Duration.ofSeconds(number);
                    case "m" -> Duration.ofMinutes(number);
                    case "h" -> Duration.ofHours(number);
                    default -> Duration.ofDays(number);
                });
    }

    /** The shortest way to write a duration of whole milliseconds exactly. */
    public static String show(Duration duration) {
        long millis = duration.toMillis();
        if (millis == 0) {
            return "0s";
        }
        if (millis % 1000 != 0) {
            return millis + "ms";
        }
        if (duration.toSeconds() % 60 != 0) {
            return duration.toSeconds() + "s";
        }
        if (duration.toMinutes() % 60 != 0) {
            return duration.toMinutes() + "m";
        }
        return duration.toHours() % 24 != 0 ? duration.toHours() + "h" : duration.toDays() + "d";
    }
}
