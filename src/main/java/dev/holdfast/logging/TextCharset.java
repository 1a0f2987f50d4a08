package dev.holdfast.logging;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/** The charset of text for people. */
public final class TextCharset {
    private TextCharset() {}

    /**
     * The locale's charset. If the locale says nothing, as in most containers and services, Java takes ASCII and writes
     * a question mark for every other character: then it is UTF-8.
     */
    public static Charset ofLocale() {
        Charset said = Charset.defaultCharset();
        return said.equals(StandardCharsets.US_ASCII) ? StandardCharsets.UTF_8 : said;
    }
}
