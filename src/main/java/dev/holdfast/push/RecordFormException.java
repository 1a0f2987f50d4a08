package dev.holdfast.push;

/** Bytes that are no push: torn, altered or of an unknown version. */
public final class RecordFormException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public RecordFormException(String message) {
        super(message);
    }
}
