package dev.holdfast.journal;

import dev.holdfast.push.PushRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Looks through the pushes of a journal. Every method blocks; any thread that may. */
public final class PushSearch {
    private static final int READ_PUSHES = 512;
    private static final long READ_BYTES = 2L * 1024 * 1024;

    private final Journal journal;

    public PushSearch(Journal journal) {
        this.journal = journal;
    }

    /** Those that match, in the order of their positions, at most {@code max}. */
    public List<PushRecord> list(PushFilter filter, int max) {
        List<PushRecord> found = new ArrayList<>();
        walk(filter, push -> found.add(push) && found.size() < max);
        return found;
    }

    /** How many match. */
    public long count(PushFilter filter) {
        long[] count = {0};
        walk(filter, push -> ++count[0] > 0);
        return count[0];
    }

    private void walk(PushFilter filter, Predicate<PushRecord> more) {
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
        }
    }
}
