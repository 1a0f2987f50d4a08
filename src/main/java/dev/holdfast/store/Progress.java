package dev.holdfast.store;

import java.util.Map;

/**
 * How far a consumer has come: everything up to {@code handled} is done, but for the lanes that are behind.
 *
 * @param handled a position; 0: nothing yet
 * @param ordering what the keys of the lanes mean: with another ordering they say nothing; empty when no lane is behind
 * @param behind lane's key to the first position in that lane that is not done; each at most {@code handled}
 */
public record Progress(long handled, String ordering, Map<String, Long> behind) {

    public Progress {
        behind = Map.copyOf(behind);
    }

    /** Everything up to {@code handled}, and nothing beyond it. */
    public static Progress upTo(long handled) {
        return new Progress(handled, "", Map.of());
    }

    /** The same for another ordering, whose lanes can't be told: all are as far as the last one. */
    public Progress under(String other) {
        return behind.isEmpty() || ordering.equals(other) ? this : upTo(neededFrom() - 1);
    }

    /** The lowest position that may still have to be delivered. */
    public long neededFrom() {
        return behind.values().stream().mapToLong(Long::longValue).reduce(handled + 1, Math::min);
    }
}
