package dev.holdfast.cli.terminal;

import java.util.ArrayList;
import java.util.List;

/**
 * How many columns of a terminal a text takes: East Asian wide characters and emoji two (Unicode Standard Annex 11), combining
 * and invisible ones none.
 */
public final class TextWidth {
    private static final String CUT = "…";

    /** First and last code points of the wide ones, in ascending order. */
    private static final int[] WIDE = {
        0x1100, 0x115F, 0x231A, 0x231B, 0x2329, 0x232A, 0x23E9, 0x23EC, 0x23F0, 0x23F0, 0x23F3, 0x23F3, 0x25FD, 0x25FE,
        0x2614, 0x2615, 0x2648, 0x2653, 0x267F, 0x267F, 0x2693, 0x2693, 0x26A1, 0x26A1, 0x26AA, 0x26AB, 0x26BD, 0x26BE,
        0x26C4, 0x26C5, 0x26CE, 0x26CE, 0x26D4, 0x26D4, 0x26EA, 0x26EA, 0x26F2, 0x26F3, 0x26F5, 0x26F5, 0x26FA, 0x26FA,
        0x26FD, 0x26FD, 0x2705, 0x2705, 0x270A, 0x270B, 0x2728, 0x2728, 0x274C, 0x274C, 0x274E, 0x274E, 0x2753, 0x2755,
        0x2757, 0x2757, 0x2795, 0x2797, 0x27B0, 0x27B0, 0x27BF, 0x27BF, 0x2B1B, 0x2B1C, 0x2B50, 0x2B50, 0x2B55, 0x2B55,
        0x2E80, 0x303E, 0x3041, 0x4DBF, 0x4E00, 0xA4CF, 0xA960, 0xA97C, 0xAC00, 0xD7A3, 0xF900, 0xFAFF, 0xFE10, 0xFE19,
        0xFE30, 0xFE6F, 0xFF01, 0xFF60, 0xFFE0, 0xFFE6, 0x16FE0, 0x18CFF, 0x1AFF0, 0x1B2FF, 0x1F004, 0x1F004, 0x1F0CF,
        0x1F0CF, 0x1F18E, 0x1F18E, 0x1F191, 0x1F19A, 0x1F200, 0x1F320, 0x1F32D, 0x1F335, 0x1F337, 0x1F37C, 0x1F37E,
        0x1F393, 0x1F3A0, 0x1F3CA, 0x1F3CF, 0x1F3D3, 0x1F3E0, 0x1F3F0, 0x1F3F4, 0x1F3F4, 0x1F3F8, 0x1F43E, 0x1F440,
        0x1F440, 0x1F442, 0x1F4FC, 0x1F4FF, 0x1F53D, 0x1F54B, 0x1F54E, 0x1F550, 0x1F567, 0x1F57A, 0x1F57A, 0x1F595,
        0x1F596, 0x1F5A4, 0x1F5A4, 0x1F5FB, 0x1F64F, 0x1F680, 0x1F6C5, 0x1F6CC, 0x1F6CC, 0x1F6D0, 0x1F6D2, 0x1F6D5,
        0x1F6DF, 0x1F6EB, 0x1F6EC, 0x1F6F4, 0x1F6FC, 0x1F7E0, 0x1F7EB, 0x1F7F0, 0x1F7F0, 0x1F90C, 0x1F93A, 0x1F93C,
        0x1F945, 0x1F947, 0x1F9FF, 0x1FA70, 0x1FAFF, 0x20000, 0x3FFFD
    };

    private TextWidth() {}

    /** Of a text without line ends and tabs. */
    public static int of(String text) {
        return text.codePoints().map(TextWidth::of).sum();
    }

    private static int of(int point) {
        int type = Character.getType(point);
        if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK || type == Character.FORMAT) {
            return 0;
        }
        return isWide(point) ? 2 : 1;
    }

    private static boolean isWide(int point) {
        for (int i = 0; i < WIDE.length && WIDE[i] <= point; i += 2) {
            if (point <= WIDE[i + 1]) {
                return true;
            }
        }
        return false;
    }

    /** The text if it fits, else its beginning followed by {@code …}. */
    public static String cut(String text, int columns) {
        if (of(text) <= columns) {
            return text;
        }
        return begun(text, columns - 1) + CUT;
    }

    /** As many characters as fit. */
    private static String begun(String text, int columns) {
        int room = columns;
        int end = 0;
        while (end < text.length()) {
            int point = text.codePointAt(end);
            room -= of(point);
            if (room < 0) {
                break;
            }
            end += Character.charCount(point);
        }
        return text.substring(0, end);
    }

    /** The text on lines of at most so many columns, parted at blanks where there are any. */
    public static List<String> wrap(String text, int columns) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ", -1)) {
            if (!line.isEmpty() && of(line.toString()) + 1 + of(word) > columns) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
            while (of(line.toString()) > Math.max(2, columns)) {
                String begun = begun(line.toString(), Math.max(2, columns));
                lines.add(begun);
                line.delete(0, begun.length());
            }
        }
        lines.add(line.toString());
        return lines;
    }

    /** The text with blanks after it, or before it, up to this many columns. */
    public static String pad(String text, int columns, boolean right) {
        String blanks = " ".repeat(Math.max(0, columns - of(text)));
        return right ? blanks + text : text + blanks;
    }
}
