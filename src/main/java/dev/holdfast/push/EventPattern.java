package dev.holdfast.push;

import java.util.List;
import java.util.function.Predicate;

/**
 * A pattern of events: {@code conversation.created}, those that begin alike ({@code conversation.*}), or all ({@code
 * *}).
 *
 * @param text an event, or the beginning of some followed by {@code *}
 */
public record EventPattern(String text) {
    /**
     * Whether a consumer with this pattern gets an event. Nobody means unreadable pushes by "all": {@link
     * Envelope#UNREADABLE} goes only to a pattern that names it, neither to {@code *} nor to {@code push.*}.
     */
    public boolean subscribes(String event) {
        return event.equals(Envelope.UNREADABLE) ? text.equals(event) : matches(event);
    }

    /** Whether the event matches. */
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
