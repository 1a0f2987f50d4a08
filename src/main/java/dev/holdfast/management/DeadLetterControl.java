package dev.holdfast.management;

import dev.holdfast.store.DeadLetter;
import dev.holdfast.store.DeadLetterFilter;
import io.vertx.core.Future;
import java.util.List;
import java.util.SortedSet;
import java.util.function.Function;

/** What the API can do with dead letters. */
public interface DeadLetterControl {
    /** The consumers that are configured, and those that have dead letters all the same; by name. */
    Future<SortedSet<String>> consumers();

    /**
     * Those that match, in the order of consumer and position, from a place on; an empty consumer is the first.
     *
     * @param part what is wanted of each; on a worker thread
     */
    <T> Future<List<T>> list(DeadLetterFilter filter, String consumer, long seq, int max, Function<DeadLetter, T> part);

    /**
     * What a retry does.
     *
     * @param retrying how many are on their way
     */
    record Retry(long retrying, List<Staying> staying) {}

    /** Dead letters of one consumer that can't be retried now. */
    record Staying(String consumer, long count, String because) {}

    /** Brings those that match back to their lanes. */
    Future<Retry> retry(DeadLetterFilter filter);

    /** Gives those that match up; how many there were. */
    Future<Long> discard(DeadLetterFilter filter, String reason);
}
