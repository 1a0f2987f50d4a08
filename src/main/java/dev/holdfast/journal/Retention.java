package dev.holdfast.journal;

import dev.holdfast.config.JournalConfig;
import dev.holdfast.push.PushRecord;
import java.time.Clock;
import java.util.List;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives up pushes that are older than configured, and the oldest ones while the journal is larger than configured; never
 * one that a consumer still needs. Run from time to time by one thread that may block.
 */
public final class Retention implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Retention.class);

    private final Journal journal;
    private final JournalConfig config;
    private final LongSupplier neededFrom;
    private final Clock clock;

    /** @param neededFrom the lowest position that some consumer still needs; {@link Long#MAX_VALUE} when none needs any */
    public Retention(Journal journal, JournalConfig config, LongSupplier neededFrom, Clock clock) {
        this.journal = journal;
        this.config = config;
        this.neededFrom = neededFrom;
        this.clock = clock;
    }

    /** Blocks while it reads; the removal itself goes on in the background. */
    @Override
    public void run() {
        long limit = Math.min(neededFrom.getAsLong(), journal.lastSeq() + 1);
        long below = Math.min(limit, Math.max(firstYoungEnough(), firstThatFits()));
        if (below > journal.firstSeq()) {
            long first = journal.firstSeq();
            journal.removeBelow(below).whenComplete((done, failure) -> report(first, failure));
        }
    }

    /** By halves, since pushes lie in the order in which they were accepted. */
    private long firstYoungEnough() {
        long cutoff = clock.millis() - config.retention().toMillis();
        long low = journal.firstSeq();
        long high = journal.lastSeq() + 1;
        while (low < high) {
            long middle = low + (high - low) / 2;
            List<PushRecord> found = journal.read(middle, 1, 1);
            if (found.isEmpty() || found.get(0).acceptedAt() >= cutoff) {
                high = middle;
            } else {
                low = found.get(0).seq() + 1;
            }
        }
        return low;
    }

    /** By the average. What is removed no longer counts, even while its files are there. */
    private long firstThatFits() {
        long first = journal.firstSeq();
        long size = journal.size();
        long excess = size - config.maxSize();
        long kept = journal.lastSeq() + 1 - first;
        if (excess <= 0 || kept == 0) {
            return first;
        }
        double part = (double) excess / size;
        return first + (long) Math.ceil(kept * part);
    }

    /** What lies in one segment with younger ones goes with them: then there is nothing to tell yet. */
    private void report(long firstBefore, Throwable failure) {
        if (failure != null) {
            LOG.warn("old pushes could not be removed: {}", failure.getMessage());
        } else if (journal.firstSeq() > firstBefore) {
            LOG.info("pushes below {} are removed", journal.firstSeq());
        }
    }
}
