package dev.holdfast.delivery;

import dev.holdfast.push.PushRecord;
import java.nio.charset.StandardCharsets;

/**
 * Makes an error fit to be kept and shown: its class and one line of bounded length, and that line only where it doesn't
 * quote the push.
 */
final class Redaction {
    private static final int LONGEST = 200;
    /** A message that has this many characters in a row in common with the body, at these steps, quotes it. */
    private static final int QUOTE = 12;

    private static final int LONGEST_BODY = 256 * 1024;

    private Redaction() {}

    static String of(Throwable failure, PushRecord push) {
        String name = failure.getClass().getName();
        String message = failure.getMessage();
        if (message == null || message.isBlank()) {
            return name;
        }
        String line = message.replaceAll("\\p{Cntrl}+", " ").strip();
        String shown = line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "…";
        return name + ": " + (quotes(shown, push) ? "(a message that quotes the push)" : shown);
    }

    private static boolean quotes(String message, PushRecord push) {
        String token = push.envelope().enterpriseToken();
        if ((!push.signature().isEmpty() && message.contains(push.signature()))
                || (!token.isEmpty() && message.contains(token))) {
            return true;
        }
        if (push.body().length > LONGEST_BODY) {
            return true;
        }
        String body = new String(push.body(), StandardCharsets.UTF_8);
        for (int from = 0; from + QUOTE <= message.length(); from += QUOTE / 2) {
            if (body.contains(message.substring(from, from + QUOTE))) {
                return true;
            }
        }
        return false;
    }
}
