package dev.holdfast.store;

/** As many replays and retries are on their way as may be: another one can begin when one of them has ended. */
public final class TooManyReplaysException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public TooManyReplaysException(int most) {
        super("found " + most + " replays and retries on their way, expected fewer: stop one, or wait");
    }
}
