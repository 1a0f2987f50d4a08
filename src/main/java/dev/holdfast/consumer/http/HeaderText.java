package dev.holdfast.consumer.http;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Any text as a header's value: an event comes out of a body and may hold line ends or letters that no header can carry. */
final class HeaderText {
    private static final String HEX = "0123456789ABCDEF";

    private HeaderText() {}

    /** Visible ASCII as it is, everything else and {@code %} as {@code %XX} of its UTF-8 bytes, as in a URL. */
    static String encode(String text) {
        StringBuilder encoded = new StringBuilder(text.length());
        for (byte b : text.getBytes(UTF_8)) {
            if (b > ' ' && b < 0x7f && b != '%') {
                encoded.append((char) b);
            } else {
                encoded.append('%').append(HEX.charAt(b >> 4 & 0xf)).append(HEX.charAt(b & 0xf));
            }
        }
        return encoded.toString();
    }
}
