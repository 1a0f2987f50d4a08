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

    /** The option's; with a dot where it stands in a section. */
    String key() {
        return key;
    }

    /** The message behind the key. */
    String text() {
        return text;
    }
}
