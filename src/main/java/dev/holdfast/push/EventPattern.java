package dev.holdfast.push;

import java.util.List;
import java.util.function.Predicate;

/**
 * Some events: {@code conversation.created}, those that begin alike ({@code conversation.*}), or all ({@code *}).
 *
 * @param text an event, or the beginning of some with a {@code *} behind it
 */
public record EventPattern(String text) {
    /**
     * Whether a consumer with this pattern gets an event. What could not be read is not what somebody means by "all":
     * {@link Envelope#UNREADABLE} goes to those that name it, neither to {@code *} nor to {@code push.*}.
     */
    public boolean subscribes(String event) {
        return event.equals(Envelope.UNREADABLE) ? text.equals(event) : matches(event);
    }

    /** Whether the event is one of them. */
    public boolean matches(String event) {
        return text.endsWith("*") ? event.regionMatches(0, text, 0, text.length() - 1) : event.equals(text);
    }

    /** Whether a consumer with some of these patterns gets an event. Any thread. */
    public static Predicate<String> anyOf(List<String> texts) {
        EventPattern[] patterns = texts.stream().map(EventPattern::new).toArray(EventPattern[]::new);
        return event -> {
            for (EventPattern pattern : patterns) {
                if (pattern.subscribes(event)) {
                    return true;
                }
            }
            return false;
        };
    }
}
