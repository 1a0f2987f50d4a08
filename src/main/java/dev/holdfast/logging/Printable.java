package dev.holdfast.logging;

import java.util.regex.Pattern;

/**
 * Text that somebody else wrote, fit for a log or a terminal: both obey control characters, and a forged line end makes a
 * forged line. Stateless.
 */
public final class Printable {
    /** Characters that nobody sees, such as those that turn the direction of writing, are among them. */
    private static final Pattern CONTROL = Pattern.compile("[\\p{Cc}\\p{Cf}\\u2028\\u2029]+");

    private static final Pattern CONTROL_BUT_LAYOUT = Pattern.compile("[\\p{Cc}&&[^\\r\\n\\t]]");

    private Printable() {}

    /** With its line ends and tabs; a question mark for each other control character. */
    public static String text(String text) {
        return CONTROL_BUT_LAYOUT.matcher(text).replaceAll("?");
    }

    /** On one line: a blank for each row of control characters. */
    public static String line(String text) {
        return CONTROL.matcher(text).replaceAll(" ");
    }
}
