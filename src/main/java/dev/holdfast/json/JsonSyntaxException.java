package dev.holdfast.json;

/**
 * A text is no JSON in strict UTF-8, or beyond the limits of {@link JsonScanner}. It has no stack trace, which would cost more than the
 * reading did: the mistake is the text's.
 */
public final class JsonSyntaxException extends Exception {
    private static final long serialVersionUID = 1L;

    JsonSyntaxException(String message) {
        super(message, null, false, false);
    }
}
