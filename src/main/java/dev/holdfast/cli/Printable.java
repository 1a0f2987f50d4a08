package dev.holdfast.cli;

import java.util.regex.Pattern;

/** Text out of a push for a terminal, which obeys control characters that somebody else wrote into it. */
final class Printable {
    private static final Pattern CONTROL = Pattern.compile("\\p{Cc}");
    private static final Pattern CONTROL_BUT_LAYOUT = Pattern.compile("[\\p{Cc}&&[^\\r\\n\\t]]");

    private Printable() {}

    /** With its line ends and tabs. */
    static String text(String text) {
        return CONTROL_BUT_LAYOUT.matcher(text).replaceAll("?");
    }

    /** On one line. */
    static String line(String text) {
        return CONTROL.matcher(text).replaceAll("?");
    }
}
