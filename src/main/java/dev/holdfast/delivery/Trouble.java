package dev.holdfast.delivery;

import dev.holdfast.config.RetryConfig;
import dev.holdfast.journal.DeadLetter.Failure;

/**
 * The failed attempts of one push.
 *
 * @param attempts at least 1
 */
record Trouble(long seq, int attempts, Failure first, Failure last) {
    static Trouble first(long seq, Failure failure) {
        return new Trouble(seq, 1, failure, failure);
    }

    Trouble and(Failure failure) {
        return new Trouble(seq, attempts + 1, first, failure);
    }

    /** Whether no further attempt is to be made. */
    boolean isEnough(RetryConfig retry) {
        boolean often = retry.maxAttempts() != null && attempts >= retry.maxAttempts();
        boolean tooOld = retry.maxAge() != null
                && last.at() - first.at() >= retry.maxAge().toMillis();
        return often || tooOld;
    }
}
