package dev.holdfast.store;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.holdfast.push.PushFilter;
import java.util.List;

/**
 * Delivering pushes again.
 *
 * @param id tells it from others
 * @param filter which pushes; it ends at a position that was there when the replay began
 * @param rate pushes a second at most, for each consumer
 * @param progress how far each consumer has come; kept under the name that it had once
 */
public record Replay(
        String id,
        Source source,
        PushFilter filter,
        int rate,
        @JsonProperty("legs") List<Progress> progress) {
    /** Where the pushes come from. */
    public enum Source {
        /** What is kept of the pushes that came in. */
        JOURNAL,
        /** What consumers failed for good: a retry. */
        DEAD_LETTERS
    }

    /**
     * One consumer's part.
     *
     * @param consumer gets what it subscribed to
     * @param next the lowest position that may still have to be delivered
     * @param delivered how many it handled
     * @param failed how many are dead letters now
     */
    public record Progress(String consumer, long next, long delivered, long failed) {}

    public Replay {
        progress = List.copyOf(progress);
    }

    /** The same, further on. */
    public Replay at(List<Progress> further) {
        return new Replay(id, source, filter, rate, further);
    }

    /** Whether nothing is left to do for a consumer. */
    public boolean isDone(Progress one) {
        return one.next() > filter.to();
    }

    /** The lowest position of the journal that is still needed; the highest number when none is. */
    public long neededFrom() {
        return progress.stream()
                .filter(one -> source == Source.JOURNAL && !isDone(one))
                .mapToLong(Progress::next)
                .min()
                .orElse(Long.MAX_VALUE);
    }
}
