package dev.holdfast.consumer;

/** What a consumer fails with when no further attempt at a push can succeed. */
public class PermanentFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param message what was found and what was expected, with nothing of the push and no secret in it */
    public PermanentFailure(String message) {
        super(message);
    }
}
