package dev.holdfast.push;

/**
 * What a consumer fails with when no further attempt at a push can succeed; and what a {@link Push} fails with that is asked
 * for what it can never give.
 */
public class PermanentFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param message what was found and what was expected, with nothing of the push and no secret in it */
    public PermanentFailure(String message) {
        super(message);
    }
}
