package dev.holdfast.journal;

/** The journal could not store, read or recover. Nothing that ends with it was acknowledged. */
public class JournalException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public JournalException(String message) {
        super(message);
    }

    public JournalException(String message, Throwable cause) {
        super(message, cause);
    }
}
