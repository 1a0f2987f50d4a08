package dev.holdfast.delivery;

import dev.holdfast.journal.Journal;
import dev.holdfast.push.PushRecord;
import java.time.InstantSource;
import java.util.List;
import java.util.function.LongSupplier;

/** How old the oldest push is that a consumer has not had. Any thread that may block. */
final class OldestPush {
    private static final double MILLIS = 1000.0;

    private final Journal journal;
    private final LongSupplier neededFrom;
    private final InstantSource clock;
    /** Of the last look. */
    private long seq;

    private long receivedAt;

    /** @param neededFrom the lowest position that it may still need; 0: that is being looked up */
    OldestPush(Journal journal, LongSupplier neededFrom, InstantSource clock) {
        this.journal = journal;
        this.neededFrom = neededFrom;
        this.clock = clock;
    }

    /**
     * In seconds, since it was received; 0: it has had all; not a number: nobody knows. Reads the disk.
     *
     * @throws dev.holdfast.journal.JournalException when the disk can't be read at the moment
     */
    synchronized double ageSeconds() {
        long from = neededFrom.getAsLong();
        if (from == 0) {
            return Double.NaN;
        }
        if (from > journal.lastSeq()) {
            return 0;
        }
        if (from != seq) {
            List<PushRecord> oldest = journal.read(from, 1, 1);
            if (oldest.isEmpty()) {
                return 0;
            }
            receivedAt = oldest.get(0).receivedAt();
            seq = from;
        }
        return Math.max(0, clock.millis() - receivedAt) / MILLIS;
    }
}
