package dev.holdfast.config;

/** A value that can't be used: what was found and what was expected instead, neither of them a secret. */
final class InvalidValue extends Exception {
    private final String found;
    private final String expected;

    /** A value of which the caller describes what was found, since it knows how the value was written. */
    InvalidValue(String expected) {
        this("", expected);
    }

    InvalidValue(String found, String expected) {
        super("found " + found + ", expected " + expected);
        this.found = found;
        this.expected = expected;
    }

    /** What was found, in words; empty if the value should be quoted as written. */
    String found() {
        return found;
    }

    String expected() {
        return expected;
    }
}
