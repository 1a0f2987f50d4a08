package dev.holdfast.config;

import java.util.regex.Pattern;

/** The written form of some events: {@code client.created}, {@code client.*}, {@code *}. */
public final class EventForm {
    public static final String EXPECTED = "an event such as client.created, a family such as client.*, or *";

    static final String REGEX = "\\*|[^\\s*.]+(\\.[^\\s*.]+)*+(\\.\\*)?";
    private static final Pattern FORM = Pattern.compile(REGEX);

    private EventForm() {}

    public static boolean isPattern(String text) {
        return FORM.matcher(text).matches();
    }
}
