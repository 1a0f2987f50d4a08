package dev.holdfast.config;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A key as it may be shown. Where the blank behind a colon is missing the key has its value in it, which may be a secret. */
final class ShownKey {
    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9_.\\[\\]-]*+");

    private ShownKey() {}

    /** A key, or a path of them, up to the first character that none has. */
    static String of(String key) {
        String name = name(key);
        return name.length() == key.length() ? key : name + "…";
    }

    /** What is a key of it. */
    static String name(String key) {
        Matcher begins = KEY.matcher(key);
        return begins.lookingAt() ? begins.group() : "";
    }
}
