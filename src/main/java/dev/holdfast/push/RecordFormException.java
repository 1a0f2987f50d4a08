package dev.holdfast.push;

/** Bytes that are no push, or no longer the push that was kept: torn, altered, misplaced or of an unknown version. */
public final class RecordFormException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public RecordFormException(String message) {
        super(message);
    }
}
