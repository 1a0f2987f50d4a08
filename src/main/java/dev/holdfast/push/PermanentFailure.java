package dev.holdfast.push;

/**
 * A consumer fails with this when no further attempt at a push can succeed; a {@link Push} fails with this when it is
 * asked for something that it can never give.
 */
public class PermanentFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param message what was found and what was expected, with nothing of the push and no secret in it */
    public PermanentFailure(String message) {
        super(message);
    }
}
