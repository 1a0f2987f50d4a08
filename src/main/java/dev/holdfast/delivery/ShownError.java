package dev.holdfast.delivery;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.holdfast.consumer.FailureText;
import dev.holdfast.consumer.RetryLater;
import dev.holdfast.logging.Printable;
import dev.holdfast.push.PermanentFailure;
import dev.holdfast.push.PushRecord;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Makes an error fit to be kept and shown: one line of bounded length, without a message that has something of the push in it, or of
 * one of several that failed together: its signature or enterprise token; its query string, or a string or a number of its body, from
 * five characters on; or twelve characters in a row, be it of the query string, of the body as it came or of a string in it. What is
 * shorter, or written otherwise than in the push, is not found. Messages of {@link PermanentFailure} and {@link RetryLater} are made
 * to be shown, as their contract says, and are shown as they are.
 */
final class ShownError {
    private static final int LONGEST = 200;
    /** So much of a message is looked at; what is shown of it then ends in the midst of no value that was not. */
    private static final int LONGEST_LOOKED_AT = 2 * LONGEST;

    private static final String HIDDEN = "(a message that may quote the push)";

    /** Shorter ones are in texts that have nothing to do with the push. */
    private static final int SHORTEST_VALUE = 5;

    private static final int PIECE = 12;
    /** Looking through a body takes an event loop's time: up to 5 ms for one of this length, and larger ones are not. */
    private static final int LONGEST_BODY = 64 * 1024;
    /** The same of several pushes that failed together. */
    private static final int LONGEST_BODIES = 4 * LONGEST_BODY;

    private static final int BEGINNINGS = 1 << 13;
    private static final JsonFactory JSON = new JsonFactory();

    private final String text;
    /** How the text's pieces begin. Most places of a body begin like none of them and need no comparison. */
    private final BitSet beginnings = new BitSet(BEGINNINGS);

    private ShownError(String text) {
        this.text = text;
        for (int i = 0; i + PIECE <= text.length(); i++) {
            beginnings.set(beginning(text, i));
        }
    }

    /**
     * @param pushes that it may quote
     * @param hiding the message without secrets of the consumer's
     */
    static String of(Throwable failure, List<PushRecord> pushes, UnaryOperator<String> hiding) {
        String message = FailureText.message(failure);
        if (message == null || message.isBlank()) {
            return FailureText.of(failure);
        }
        String start = message.substring(0, Math.min(message.length(), LONGEST_LOOKED_AT));
        if (failure instanceof PermanentFailure || failure instanceof RetryLater) {
            return Printable.line(start, LONGEST);
        }
        return new ShownError(start).mayQuoteAny(pushes)
                ? FailureText.of(failure, HIDDEN)
                : Printable.line(hiding.apply(FailureText.of(failure)), LONGEST);
    }

    private static int beginning(String text, int at) {
        return (text.charAt(at) * 961 + text.charAt(at + 1) * 31 + text.charAt(at + 2)) % BEGINNINGS;
    }

    /** True as well when that can't be told in time. */
    private boolean mayQuoteAny(List<PushRecord> pushes) {
        long bytes = pushes.stream().mapToLong(push -> push.body().length).sum();
        return bytes > LONGEST_BODIES || pushes.stream().anyMatch(this::mayQuote);
    }

    /** True as well when that can't be told: the body is too large, or not JSON. */
    private boolean mayQuote(PushRecord push) {
        String token = push.envelope().enterpriseToken();
        String signature = push.head().signature();
        return (!signature.isEmpty() && text.contains(signature))
                || (!token.isEmpty() && text.contains(token))
                || isQuoted(push.head().query())
                || push.body().length > LONGEST_BODY
                || hasPieceOf(new String(push.body(), UTF_8))
                || hasValueOf(push.body());
    }

    private boolean hasPieceOf(String source) {
        for (int i = 0; i + PIECE <= source.length(); i++) {
            if (beginnings.get(beginning(source, i)) && text.contains(source.substring(i, i + PIECE))) {
                return true;
            }
        }
        return false;
    }

    private boolean hasValueOf(byte[] body) {
        try (JsonParser json = JSON.createParser(body)) {
            for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
                if ((token == JsonToken.VALUE_STRING || token.isNumeric())
                        && isQuoted(json.getText().strip())) {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    private boolean isQuoted(String value) {
        return value.length() >= SHORTEST_VALUE && (text.contains(value) || hasPieceOf(value));
    }
}
