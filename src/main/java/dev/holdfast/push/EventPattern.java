package dev.holdfast.push;

/**
 * Some events: {@code conversation.created}, those that begin alike ({@code conversation.*}), or all ({@code *}).
 *
 * @param text an event, or the beginning of some with a {@code *} behind it
 */
public record EventPattern(String text) {
    public boolean matches(String event) {
        return text.endsWith("*") ? event.startsWith(text.substring(0, text.length() - 1)) : event.equals(text);
    }
}
