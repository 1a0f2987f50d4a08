package dev.holdfast.delivery;

import dev.holdfast.consumer.FailureText;
import dev.holdfast.consumer.RetryLater;
import dev.holdfast.logging.Printable;
import dev.holdfast.push.PermanentFailure;
import dev.holdfast.push.PushRecord;

/**
 * Makes an error fit to be kept and shown: one line of bounded length, without a message that has a {@link Quotation}. Those
 * of {@link PermanentFailure} and {@link RetryLater} are made to be shown, as their contract says, and are shown as they are.
 */
final class ShownError {
    private static final int LONGEST = 200;
    /** So much of a message is looked at; what is shown of it then ends in the midst of no value that was not. */
    private static final int LONGEST_LOOKED_AT = 2 * LONGEST;

    private static final String HIDDEN = "(a message that may quote the push)";

    private ShownError() {}

    static String of(Throwable failure, PushRecord push) {
        String message = FailureText.message(failure);
        if (message == null || message.isBlank()) {
            return FailureText.of(failure);
        }
        String start = message.substring(0, Math.min(message.length(), LONGEST_LOOKED_AT));
        if (failure instanceof PermanentFailure || failure instanceof RetryLater) {
            return line(start);
        }
        return new Quotation(start).isPossible(push) ? FailureText.of(failure, HIDDEN) : line(FailureText.of(failure));
    }

    private static String line(String text) {
        String line = Printable.line(text).strip();
        return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "…";
    }
}
