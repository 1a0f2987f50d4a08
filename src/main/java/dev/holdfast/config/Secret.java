package dev.holdfast.config;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A value that must never be shown: its {@link #toString} is asterisks. */
public final class Secret {
    private static final String HIDDEN = "********";
    private static final Pattern HEXADECIMAL = Pattern.compile("[0-9A-Fa-f]*");

    private static final Pattern HEADER_VALUE = Pattern.compile("[!-~]([ -~]*[!-~])?");

    private final String value;

    public Secret(String value) {
        this.value = Objects.requireNonNull(value);
    }

    /** The value itself; never to be put in a message. */
    public String reveal() {
        return value;
    }

    /** The value's UTF-8 bytes, a fresh copy; never to be put in a message. */
    public byte[] bytes() {
        return value.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Whether this holds less than 128 bits at best: hexadecimal digits count four bits each, other bytes eight. One
     * captured push lets such a secret be guessed offline.
     */
    boolean isWeak() {
        int bytes = bytes().length;
        return bytes < 16 || (bytes < 32 && HEXADECIMAL.matcher(value).matches());
    }

    /**
     * Whether it begins or ends with white space, as happens to an environment variable that was filled from a file.
     */
    boolean isPadded() {
        return !value.strip().equals(value);
    }

    /** Whether it goes through an HTTP header unchanged: visible ASCII, with blanks only inside. */
    public boolean isHeaderValue() {
        return HEADER_VALUE.matcher(value).matches();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Secret secret && secret.value.equals(value);
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }

    @Override
    public String toString() {
        return HIDDEN;
    }

    /** The names of options in order, each of whose values may be a secret. */
    static String hidden(Map<?, ?> options) {
        return options.keySet().stream()
                .map(name -> name + "=" + HIDDEN)
                .sorted()
                .collect(Collectors.joining(", ", "{", "}"));
    }
}
