package dev.holdfast.push;

import org.jspecify.annotations.Nullable;

/**
 * The fields that every push carries around its business data (interface, section 2.2).
 *
 * @param id the platform's identifier of the push, empty when absent or no string of up to 255 characters; two pushes of one enterprise in one
 *     second carry the same one, so it identifies nothing
 * @param event the topic, e.g. {@code conversation.created}; {@link #UNREADABLE} when the body could not be read
 * @param enterpriseToken the platform's token for the enterprise, empty when absent or no string of up to 255 characters
 * @param createdAt Unix time in seconds as the platform wrote it; null when absent or no integer that fits
 * @param unreadable why the body could not be read; null when it could
 */
public record Envelope(
        String id,
        String event,
        String enterpriseToken,
        @Nullable Long createdAt,
        @Nullable Unreadable unreadable) {

    /** The event, and bus address, of pushes whose envelope can't be read. */
    public static final String UNREADABLE = "push.unreadable";

    /** The envelope of a body that could not be read. */
    public static Envelope unreadable(Unreadable cause) {
        return new Envelope("", UNREADABLE, "", null, cause);
    }

    /** The part of the event before the first dot; the whole event when it has none. */
    public String family() {
        int dot = event.indexOf('.');
        return dot < 0 ? event : event.substring(0, dot);
    }
}
