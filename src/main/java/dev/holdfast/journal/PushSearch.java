package dev.holdfast.journal;

import dev.holdfast.push.PushFilter;
import dev.holdfast.push.PushRecord;
import java.util.List;
import java.util.function.Predicate;

/** Looks through the pushes of a journal. Every method blocks; any thread that may. */
public final class PushSearch {
    private static final int READ_PUSHES = 512;
    private static final long READ_BYTES = 2L * 1024 * 1024;

    private final StoredPushes journal;

    public PushSearch(StoredPushes journal) {
        this.journal = journal;
    }

    /** How far a walk has come: up to one position, on its way to the last. */
    public interface Looked {
        void upTo(long seq, long last);
    }

    /**
     * Walks through those that match until {@code more} says no.
     *
     * @param looked is told now and then, also where none matches
     */
    public void walk(PushFilter filter, Predicate<PushRecord> more, Looked looked) {
        long next = Math.max(filter.from(), journal.firstSeq());
        long last = Math.min(filter.to(), journal.lastSeq());
        while (next <= last) {
            List<PushRecord> pushes = journal.read(next, READ_PUSHES, READ_BYTES);
            if (pushes.isEmpty()) {
                return;
            }
            for (PushRecord push : pushes) {
                if (filter.matches(push) && !more.test(push)) {
                    return;
                }
                next = push.seq() + 1;
            }
            looked.upTo(next - 1, last);
        }
    }
}
