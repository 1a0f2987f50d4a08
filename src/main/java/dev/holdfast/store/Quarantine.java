package dev.holdfast.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Requests whose signature did not match, kept for a while in the order of their arrival. Bounded by size, count and age, the
 * oldest going first, and by how many and how much may come in a second; what isn't kept is counted. Anybody can fill it: nothing
 * that it does waits for anything that accepted pushes need, and what goes wrong with it costs the quarantine only. Any thread.
 */
public interface Quarantine extends AutoCloseable {
    /** Why a request was not kept. */
    enum Drop {
        /** Its body is longer than may be kept. */
        TOO_LARGE,
        /** It was refused at its head: there was nothing to keep. */
        UNREAD,
        /** Too many came in a second, or too much. */
        RATE,
        /** Too much waited for the disk already. */
        BUSY,
        /** The disk has no more free space than is kept for the journal. */
        SPACE,
        /** The disk could not keep it. */
        STORAGE
    }

    /**
     * Keeps a request, if the bounds let it. Never blocks. It survives the process's end, but nobody waits for the disk: a power
     * cut may cost the last ones.
     *
     * @param bodyBytes length of its body
     * @param request asked for at once, or not at all when it won't be kept
     */
    void keep(int bodyBytes, Supplier<QuarantinedRequest> request);

    /** Counts one that there is nothing to keep of. */
    void dropped(Drop cause);

    /**
     * Walks through those that match in the order of their arrival until {@code more} says no. One whose bytes are wrong is logged,
     * counted and passed over, and so is what lies behind bytes that the disk doesn't give in a file. Reads the disk: blocks.
     *
     * @throws StoreException when it is not open
     */
    void walk(QuarantineFilter filter, Predicate<QuarantinedRequest> more);

    /**
     * Those that match, in the order of their arrival, at most {@code max}. Blocks.
     *
     * @param part what is wanted of each: a page of whole requests may be larger than the memory
     */
    default <T> List<T> list(QuarantineFilter filter, int max, Function<QuarantinedRequest, T> part) {
        List<T> found = new ArrayList<>();
        walk(filter, request -> found.add(part.apply(request)) && found.size() < max);
        return found;
    }

    /** The same with the newest first. */
    <T> List<T> newest(QuarantineFilter filter, int max, Function<QuarantinedRequest, T> part);

    /**
     * Takes some out, and frees their space on disk. Blocks until that is durable.
     *
     * @return how many of them there were
     * @throws StoreException when it is not open, or the disk fails; some may be out then
     */
    long remove(Collection<Long> ids);

    /** Takes out what is too old, or tries again to open it when that has failed. From time to time; never blocks. */
    void expire();

    /** How many there are. */
    long count();

    /** What an operator should know of it: that it isn't open, or what was found damaged; empty: nothing. */
    String notice();

    /** Writes what was handed over before, then closes. Blocks. Idempotent. */
    @Override
    void close();
}
