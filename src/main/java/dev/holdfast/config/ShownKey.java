package dev.holdfast.config;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes a key fit to be shown. If the blank after a colon is missing, YAML takes the value as a part of the key, and it
 * may be a secret.
 */
final class ShownKey {
    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9_.\\[\\]-]*+");

    private ShownKey() {}

    /** A key, or a path of them, up to the first character that none has. */
    static String of(String key) {
        String name = name(key);
        return name.length() == key.length() ? key : name + "…";
    }

    /** The part of a name that is a key. */
    static String name(String key) {
        Matcher begins = KEY.matcher(key);
        return begins.lookingAt() ? begins.group() : "";
    }
}
