package dev.holdfast.supervision;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.consumer.FailureText;
import dev.holdfast.logging.Printable;

/**
 * Describes the failure of a consumer's start, or of its end, in one line of bounded length that is fit to be shown:
 * without the options' values.
 */
final class StartFailure {
    private static final int LONGEST = 300;

    private StartFailure() {}

    static String line(Throwable failure, ConsumerConfig config) {
        // An option of many lines would not be found on one.
        return Printable.line(config.withoutOptions(FailureText.of(failure)), LONGEST);
    }
}
