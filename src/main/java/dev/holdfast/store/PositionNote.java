package dev.holdfast.store;

import java.util.List;
import java.util.Map;

/**
 * What is noted in the journal of the consumers, in case the store is lost.
 *
 * @param places where each goes on; what is released doesn't count
 * @param paused those of them that are paused, and since when, milliseconds since the epoch
 */
public record PositionNote(List<Checkpoint> places, Map<String, Long> paused) {
    static final PositionNote NONE = new PositionNote(List.of(), Map.of());

    public PositionNote {
        places = List.copyOf(places);
        paused = Map.copyOf(paused);
    }
}
