package dev.holdfast.delivery;

import dev.holdfast.config.RetryConfig;
import dev.holdfast.store.DeadLetter.Failure;

/**
 * The failed attempts of one push.
 *
 * @param attempts at least 1
 * @param counted those of them that count: what was tried while the consumer failed everything doesn't
 */
record Trouble(long seq, int attempts, int counted, Failure first, Failure last) {
    static Trouble first(long seq, Failure failure, boolean counts) {
        return new Trouble(seq, 1, counts ? 1 : 0, failure, failure);
    }

    Trouble and(Failure failure, boolean counts) {
        return new Trouble(seq, attempts + 1, counted + (counts ? 1 : 0), first, failure);
    }

    /** Whether no further attempt is to be made. */
    boolean isEnough(RetryConfig retry) {
        boolean often = retry.maxAttempts() != null && counted >= retry.maxAttempts();
        boolean tooOld = retry.maxAge() != null
                && last.at() - first.at() >= retry.maxAge().toMillis();
        return often || tooOld;
    }
}
