package dev.holdfast.json;

/** A text is no JSON in strict UTF-8, or beyond the limits of {@link JsonScanner}. */
public final class JsonSyntaxException extends Exception {
    private static final long serialVersionUID = 1L;

    JsonSyntaxException(String message) {
        super(message);
    }
}
