package dev.holdfast.store;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import org.jspecify.annotations.Nullable;

/**
 * Something that an operator changed.
 *
 * @param at when, milliseconds since the epoch
 * @param who the name of the token that let them in; {@code anonymous} where none is asked for
 * @param from the client's address
 * @param action what was done, such as {@code dead-letters.discard}
 * @param target what it was done to
 * @param count how many it hit; null where nothing is counted
 * @param reason why, in their words; null where none is asked for
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record AuditEntry(
        long at,
        String who,
        String from,
        String action,
        String target,
        @Nullable Long count,
        @Nullable String reason) {}
