package dev.holdfast.config;

/** A value that can't be used: what was found and what was expected instead, neither of them a secret. */
final class InvalidValue extends Exception {
    private final String found;
    private final String expected;

    /** Something whose finding is to be described by the one who knows where it was written. */
    InvalidValue(String expected) {
        this("", expected);
    }

    InvalidValue(String found, String expected) {
        super("found " + found + ", expected " + expected);
        this.found = found;
        this.expected = expected;
    }

    /** What was found, in words; empty when the value as written says it best. */
    String found() {
        return found;
    }

    String expected() {
        return expected;
    }
}
