package dev.holdfast.journal;

import dev.holdfast.push.PushRecord;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Pushes that are read in the order of their positions: the journal's, or some of them. Every method blocks. Any thread. */
public interface OrderedPushes {
    /** Pushes that are read at once where many are. */
    int PAGE_PUSHES = 512;

    /** Their bytes, about. */
    long PAGE_BYTES = 2L << 20;

    /**
     * The pushes from {@code from} on: at most {@code maxPushes}, and at least one where there is one; an empty answer means that
     * there are no more. Bodies that have reached {@code maxBytes} may end it sooner.
     */
    List<PushRecord> read(long from, int maxPushes, long maxBytes);

    /** The push at a position, unless it is gone. */
    default Optional<PushRecord> get(long seq) {
        return read(seq, 1, 1).stream().filter(push -> push.seq() == seq).findFirst();
    }

    /** Hands on those at {@code from} to {@code to}, both included, a page after the other. */
    default void forEach(long from, long to, Consumer<PushRecord> each) {
        for (long next = from; next <= to; ) {
            List<PushRecord> page = read(next, (int) Math.min(PAGE_PUSHES - 1, to - next) + 1, PAGE_BYTES);
            if (page.isEmpty()) {
                return;
            }
            page.stream().filter(push -> push.seq() <= to).forEach(each);
            next = page.get(page.size() - 1).seq() + 1;
        }
    }
}
