package dev.holdfast.journal;

import dev.holdfast.push.PushRecord;
import java.util.List;
import java.util.Optional;

/** Pushes that are read in the order of their positions: the journal's, or some of them. Every method blocks. Any thread. */
public interface OrderedPushes {
    /**
     * The pushes from {@code from} on: at most {@code maxPushes}, and at least one where there is one; an empty answer means that
     * there are no more. Bodies that have reached {@code maxBytes} may end it sooner.
     */
    List<PushRecord> read(long from, int maxPushes, long maxBytes);

    /** The push at a position, unless it is gone. */
    default Optional<PushRecord> get(long seq) {
        return read(seq, 1, 1).stream().filter(push -> push.seq() == seq).findFirst();
    }
}
