package dev.holdfast.store;

import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * What consumers failed for good. Bounded: those whose last failure is oldest go when a consumer has too many, and those that
 * are too old; each is counted. Any thread; futures complete when what they stand for is durable, on the store's own thread, and
 * fail with a {@link StoreException} when the disk does.
 */
public interface DeadLetters {
    /** A time before all others. */
    long NEVER = 0;

    /** Keeps a dead letter, in the place of one of the same consumer and push. Never blocks. */
    CompletionStage<Void> save(DeadLetter letter);

    /** Keeps what has become of a dead letter that failed again, unless there is none any more. Never blocks. */
    CompletionStage<Void> replace(DeadLetter letter);

    /** Takes out a dead letter that was handled after all; also when there was none. Never blocks. */
    CompletionStage<Void> remove(String consumer, long seq);

    /** Gives up a dead letter, and notes why; false when there was none, and nothing is noted. Never blocks. */
    CompletionStage<Boolean> discard(String consumer, long seq, String reason);

    /**
     * What was given up by {@link #discard} and by the bounds, the newest first, at most {@code max}; the oldest of either are
     * forgotten. Blocks.
     *
     * @param last those that follow this one, whatever its event and reason; null: from the newest on
     */
    List<Discard> discards(@Nullable Discard last, int max);

    /** Those of {@link #discards} that were of one push, the newest first. Blocks. */
    List<Discard> discardsOf(long seq);

    /**
     * Those of one consumer in the order of their pushes, from a position on: at most {@code max}, and no more once their bodies
     * have reached 4 MiB, yet at least one where there is one. One whose bytes are wrong is logged, counted and passed over. Reads
     * the disk: blocks.
     *
     * @throws StoreException when the store is not open, or the disk can't be read at the moment
     */
    List<DeadLetter> list(String consumer, long seq, int max);

    /** The positions of all of one consumer, from one on, without a look at the letters. Reads the disk: blocks; fails as {@link #list} does. */
    List<Long> positions(String consumer, long seq);

    /** The one of a consumer and a push. Reads the disk: blocks; fails as {@link #list} does. */
    Optional<DeadLetter> get(String consumer, long seq);

    /** Like {@link #list} with the newest pushes first, from a position on downwards. */
    List<DeadLetter> newest(String consumer, long seq, int max);

    /** Those that have any, by name. */
    SortedSet<String> consumers();

    /** How many a consumer has. */
    long count(String consumer);

    /** Bytes of those of a consumer, their pushes included. */
    long bytes(String consumer);

    /**
     * When the one of a consumer failed last whose last failure is oldest, in milliseconds since the epoch; {@link #NEVER}: it has
     * none. Reads the disk: blocks.
     *
     * @throws StoreException when the store is not open, or the disk can't be read at the moment
     */
    long oldestAt(String consumer);

    /** Takes out some of what is too old, and of what a bound that was lowered makes too many. From time to time; never blocks. */
    void expire();
}
