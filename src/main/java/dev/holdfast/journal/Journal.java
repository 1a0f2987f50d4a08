package dev.holdfast.journal;

import dev.holdfast.push.PushRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The durable, ordered keeping of accepted pushes, and of how far each consumer has come in them. Every method may be
 * called from any thread; those that touch the disk say so.
 */
public interface Journal extends AutoCloseable {

    /**
     * Hands a push over to be made durable; never blocks. The outcome is told exactly once: on the journal's own thread,
     * new pushes in the order of {@code seq}, so the callee must be quick; or, when the push can't even wait because too
     * many do or the journal is closed, as a failure on the caller's thread. Pushes with the endpoint and the bytes of one
     * already kept are not stored again.
     */
    void append(PushRecord push, Outcome outcome);

    /** What became of an {@link #append}. */
    interface Outcome {
        /** The bytes survive a power cut from now on; {@code duplicate}: they already did, under {@code seq}. */
        void stored(long seq, boolean duplicate);

        /** Not stored, and must not be acknowledged. */
        void failed(JournalException cause);
    }

    /**
     * From now on, each group of pushes is given to {@code follower} as soon as it is durable, in {@code seq} order, on
     * the journal's thread. Duplicates are left out. After the journal was reopened there may be a gap: what lies in it
     * is to be had through {@link #read}. One follower; a second call replaces the first.
     */
    void follow(Follower follower);

    /** See {@link #follow}. */
    interface Follower {
        void committed(List<PushRecord> pushes);
    }

    /**
     * The pushes from {@code from} on in {@code seq} order: at most {@code maxPushes}, and no more once their bodies have
     * reached {@code maxBytes}, yet at least one where there is one. Only durable pushes are seen. A push that is missing
     * or whose bytes are wrong is logged, counted once and passed over: an empty answer means that nothing readable is left
     * from {@code from} on. Reads the disk: blocks.
     *
     * @throws JournalException when the journal is not open, or the disk can't be read at the moment
     */
    List<PushRecord> read(long from, int maxPushes, long maxBytes);

    /**
     * The push at {@code seq}, if it is still kept and its bytes are right. Reads the disk: blocks.
     *
     * @throws JournalException when the journal is not open, or the disk can't be read at the moment
     */
    Optional<PushRecord> get(long seq);

    /** The oldest kept position; {@link #lastSeq()} + 1 when nothing is kept. */
    long firstSeq();

    /** The newest durable position; 0 when there was never one. */
    long lastSeq();

    /** For each consumer that has one, how far it has come, as durably saved. Cheap. */
    Map<String, Progress> cursors();

    /**
     * Keeps how far a consumer has come; completes when it is durable, on the journal's thread. It rides on the next group of
     * pushes, or goes by itself when none comes within some milliseconds: never blocks.
     *
     * @param urgent whether it goes at once, if need be by itself: somebody waits for it
     */
    CompletionStage<Void> saveCursor(String consumer, Progress progress, boolean urgent);

    /** The same when nobody waits for it. */
    default CompletionStage<Void> saveCursor(String consumer, Progress progress) {
        return saveCursor(consumer, progress, false);
    }

    /** The same for a consumer that has handled everything up to {@code seq}. */
    default CompletionStage<Void> saveCursor(String consumer, long seq) {
        return saveCursor(consumer, Progress.upTo(seq));
    }

    /**
     * Keeps a dead letter, in the place of one of the same consumer and push; completes when it is durable, as
     * {@link #saveCursor} does.
     */
    CompletionStage<Void> saveDeadLetter(DeadLetter letter);

    /** Gives up a dead letter; completes when that is durable, also when there was none. */
    CompletionStage<Void> removeDeadLetter(String consumer, long seq);

    /**
     * Dead letters in the order of consumer and {@code seq}, from the given ones on: at most {@code max}, and no more once
     * their bodies have reached 4 MiB, yet at least one where there is one. One whose bytes are wrong is logged, counted and
     * passed over. Reads the disk: blocks.
     *
     * @param consumer empty: from the first consumer on
     * @throws JournalException when the journal is not open, or the disk can't be read at the moment
     */
    List<DeadLetter> deadLetters(String consumer, long seq, int max);

    /** How many dead letters a consumer has. Reads through all of them: blocks. */
    long countDeadLetters(String consumer);

    /** Keeps a replay, in the place of one of the same id; completes when it is durable, as {@link #saveCursor} does. */
    CompletionStage<Void> saveReplay(Replay replay);

    /** Gives up a replay; completes when that is durable. */
    CompletionStage<Void> removeReplay(String id);

    /** The replays that are kept. Reads the disk: blocks. */
    List<Replay> replays();

    /**
     * Gives up the pushes below {@code seq}. The caller answers for no consumer needing them. Completes when they no
     * longer are to be had; the space comes back in the background.
     */
    CompletionStage<Void> removeBelow(long seq);

    /**
     * Bytes of the kept pushes, roughly: what giving all of them up would free sooner or later. The directory holds more,
     * by what was given up and is not freed yet, the log and the digests. 0 while the journal is not open. May read the disk.
     */
    long size();

    /** Whether the last write went well, and the next one will be tried; not while a write takes suspiciously long. */
    boolean writable();

    /** Stores what was handed over before, or fails it when the disk does, then closes. Blocks. Idempotent. */
    @Override
    void close();
}
