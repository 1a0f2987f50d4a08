package dev.holdfast.management;

import dev.holdfast.store.QuarantineFilter;
import dev.holdfast.store.QuarantinedRequest;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Function;

/** What the API can do with quarantined requests. */
public interface QuarantineControl {
    /**
     * Those that match, the newest first.
     *
     * @param part what is wanted of each; on a worker thread
     */
    <T> Future<List<T>> list(QuarantineFilter filter, int max, Function<QuarantinedRequest, T> part);

    /**
     * What a verification did.
     *
     * @param pushes are new pushes
     * @param duplicates had come in properly meanwhile, or twice
     * @param wrong still don't match, and stay
     * @param unknown came to an endpoint that is not configured, and stay
     * @param failed could not be stored at the moment, and stay
     * @param next where to go on; 0: nothing is left to be checked, or nothing can be stored
     */
    record Verification(long pushes, long duplicates, long wrong, long unknown, long failed, long next) {}

    /**
     * Checks those that match again, and makes pushes of those that are authentic.
     *
     * @param dryRun changes nothing: the authentic ones are counted as pushes, duplicates too
     */
    Future<Verification> verify(QuarantineFilter filter, boolean dryRun);

    /** How many match. */
    Future<Long> count(QuarantineFilter filter);

    /** Gives those that match up; how many there were. */
    Future<Long> discard(QuarantineFilter filter);
}
