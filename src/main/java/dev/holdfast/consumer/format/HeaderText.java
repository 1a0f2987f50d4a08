package dev.holdfast.consumer.format;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HexFormat;

/** Any text as a header's value: an event comes out of a body and may hold line ends or letters that no header can carry. */
public final class HeaderText {
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private HeaderText() {}

    /** Visible ASCII as it is, everything else and {@code %} as {@code %XX} of its UTF-8 bytes, as in a URL. */
    public static String encode(String text) {
        return encode(text.getBytes(UTF_8), '%');
    }

    /**
     * A header's value as read off the wire, one character for each byte; what is not visible ASCII becomes {@code
     * %XX}.
     */
    public static String visible(String bytes) {
        return encode(bytes.getBytes(ISO_8859_1), ' ');
    }

    private static String encode(byte[] text, char special) {
        StringBuilder encoded = new StringBuilder(text.length);
        for (byte b : text) {
            if (b > ' ' && b < 0x7f && b != special) {
                encoded.append((char) b);
            } else {
                encoded.append('%').append(HEX.toHexDigits(b));
            }
        }
        return encoded.toString();
    }
}
