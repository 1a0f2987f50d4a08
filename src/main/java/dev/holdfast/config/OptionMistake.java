package dev.holdfast.config;

/** A consumer's option that can't be used. The message names consumer, key, found and expected, and shows no value. */
public final class OptionMistake extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final String key;
    private final String text;

    OptionMistake(String consumer, String key, String found, String expected) {
        super("consumer " + consumer + ": options." + ShownKey.of(key) + ": found " + found + ", expected " + expected);
        this.key = key;
        this.text = "found " + found + ", expected " + expected;
    }

    /** The option's key; with a dot if it is in a section. */
    String key() {
        return key;
    }

    /** The part of the message after the key. */
    String text() {
        return text;
    }
}
