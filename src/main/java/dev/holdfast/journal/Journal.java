package dev.holdfast.journal;

import dev.holdfast.push.PushRecord;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The durable, ordered keeping of accepted pushes. Every method may be called from any thread; those that touch the disk say
 * so.
 */
public interface Journal extends OrderedPushes, AutoCloseable {

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
     * is to be had through {@link #read}. Each follower gets them, and none must hold the thread up.
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
    @Override
    List<PushRecord> read(long from, int maxPushes, long maxBytes);

    /** The oldest kept position; {@link #lastSeq()} + 1 when nothing is kept. */
    long firstSeq();

    /** The newest durable position; 0 when there was never one. */
    long lastSeq();

    /**
     * Gives up the pushes below {@code seq}, by whole segments: what lies in one with pushes at or past it stays for now. The
     * caller answers for no consumer needing them. Completes when they no longer are to be had and the space is back. Is done on
     * a full disk as well.
     */
    CompletionStage<Void> removeBelow(long seq);

    /**
     * Notes what is to be had again when everything but the log is lost: durable with the next group of pushes, or by itself
     * some milliseconds later; nobody is told. A newer note takes the place of an older one. Never blocks.
     */
    void note(byte[] state);

    /** The newest note there was when the journal was opened, as far as it can be read. */
    Optional<byte[]> lastNote();

    /** What was found damaged since the opening, a line for each file and each range of lost pushes; what can be read is served. */
    List<String> damage();

    /**
     * A file that holds kept pushes.
     *
     * @param firstSeq the position it begins with; it ends before the next one's
     */
    record Extent(long firstSeq, long bytes) {}

    /** The files that hold the kept pushes, oldest first; the last one is being written to. Cheap. */
    List<Extent> extents();

    /** Bytes of the files that hold the kept pushes; 0 when the journal is closed. Cheap. */
    long size();

    /** Whether the last write went well, and the next one will be tried; not while a write takes suspiciously long. Asks the disk. */
    boolean writable();

    /** Why pushes go on into a file that is due to be followed by another, and can't be removed; empty: they don't. */
    String notice();

    /** Stores what was handed over before, or fails it when the disk does, then closes. Blocks. Idempotent. */
    @Override
    void close();
}
