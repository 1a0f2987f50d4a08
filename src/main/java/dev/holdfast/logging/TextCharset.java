package dev.holdfast.logging;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/** The character set of text for people. */
public final class TextCharset {
    private TextCharset() {}

    /**
     * What the locale says. Where it says nothing, as in most containers and services, Java takes ASCII, and writes a question
     * mark for every other character: UTF-8 takes its place.
     */
    public static Charset ofLocale() {
        Charset said = Charset.defaultCharset();
        return said.equals(StandardCharsets.US_ASCII) ? StandardCharsets.UTF_8 : said;
    }
}
