package dev.holdfast.json;

/**
 * A text is not JSON in strict UTF-8, or is beyond the limits of {@link JsonScanner}. It has no stack trace, which
 * would cost more than the reading, since the mistake is in the text, not in the code.
 */
public final class JsonSyntaxException extends Exception {
    private static final long serialVersionUID = 1L;

    JsonSyntaxException(String message) {
        super(message, null, false, false);
    }
}
