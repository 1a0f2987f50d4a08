package dev.holdfast.journal;

import dev.holdfast.push.PushRecord;
import java.util.List;

/** Durable pushes in the order of their positions, of a running journal or a stopped one. Any thread. */
public interface StoredPushes extends OrderedPushes {
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
}
