package dev.holdfast.logging;

import java.util.HexFormat;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Makes text that somebody else wrote fit for a log or a terminal. Both obey control characters, and people are misled
 * by what they can't see. So each character that controls, turns the direction of writing or has no width is written
 * out, as in {@code \}{@code u202e} or, beyond the first 65,536, {@code \}{@code u{e0041}}. Stateless.
 */
public final class Printable {
    /**
     * Control, format and lone surrogate characters, the separators of lines and paragraphs, and the letters, marks and
     * tags that Unicode says to ignore if they can't be drawn; not line ends and tabs.
     */
    private static final Pattern UNSEEN = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}"
            + "\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u2065\\u3164\\ufe00-\\ufe0f\\uffa0\\x{e0000}-\\x{e0fff}"
            + "&&[^\\r\\n\\t]]");

    private static final Pattern LAYOUT = Pattern.compile("[\\r\\n\\t]+");

    private Printable() {}

    /** The text with its line ends and tabs. */
    public static String text(String text) {
        return isPlain(text, true) ? text : UNSEEN.matcher(text).replaceAll(Printable::writtenOut);
    }

    /**
     * The text on one line, with a blank for each run of line ends and tabs, so that a forged line end makes no forged
     * line.
     */
    public static String line(String text) {
        return isPlain(text, false) ? text : text(LAYOUT.matcher(text).replaceAll(" "));
    }

    /** The same without blanks around it, {@link #cut}. */
    public static String line(String text, int longest) {
        return cut(line(text).strip(), longest);
    }

    /** The first {@code longest} characters, with an ellipsis where there were more; never half a character. */
    public static String cut(String text, int longest) {
        if (text.length() <= longest) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(longest - 1)) ? longest - 1 : longest;
        return text.substring(0, end) + "…";
    }

    /** A JSON text that means the same: in its strings, a character may be written out in JSON's own way. */
    public static String json(String text) {
        return isPlain(text, true)
                ? text
                : UNSEEN.matcher(text)
                        .replaceAll(found -> found.group()
                                .chars()
                                .mapToObj(unit -> writtenOut((char) unit))
                                .collect(Collectors.joining()));
    }

    /**
     * Whether the text is printable ASCII alone, as nearly every text is.
     *
     * @param layout whether line ends and tabs are allowed too: every log line has one
     */
    private static boolean isPlain(String text, boolean layout) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if ((c < ' ' || c > '~') && !(layout && (c == '\n' || c == '\r' || c == '\t'))) {
                return false;
            }
        }
        return true;
    }

    private static String writtenOut(MatchResult found) {
        int character = found.group().codePointAt(0);
        return Character.isBmpCodePoint(character)
                ? writtenOut((char) character)
                : "\\\\u{" + Integer.toHexString(character) + "}";
    }

    /**
     * The character written out, with a backslash that is escaped for a regex replacement. Not made by String.format: a
     * text may have a million of them.
     */
    private static String writtenOut(char unit) {
        return "\\\\u" + HexFormat.of().toHexDigits(unit);
    }
}
