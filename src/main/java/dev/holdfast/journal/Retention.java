package dev.holdfast.journal;

import dev.holdfast.config.JournalConfig;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives up pushes that are older than configured, and the oldest ones while the journal is larger than configured, or the disk
 * is nearly full; never one that a consumer still needs. Run from time to time by threads that may block.
 */
public final class Retention implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Retention.class);
    /** A disk that takes longer to delete some files hangs. */
    private static final long REMOVAL_SECONDS = 10;

    private final Journal journal;
    private final SegmentTimes times;
    private final JournalConfig config;
    private final LongSupplier neededFrom;
    private final Clock clock;

    /** @param neededFrom the lowest position that some consumer still needs; {@link Long#MAX_VALUE} when none needs any */
    public Retention(Journal journal, JournalConfig config, LongSupplier neededFrom, Clock clock) {
        this.journal = journal;
        this.times = new SegmentTimes(journal);
        this.config = config;
        this.neededFrom = neededFrom;
        this.clock = clock;
    }

    /** Blocks while it reads; the removal itself goes on in the background. */
    @Override
    public void run() {
        long oldestWanted = wholeBefore(clock.millis() - config.retention().toMillis());
        long below = Math.min(limit(), Math.max(oldestWanted, firstThatFits()));
        if (below > journal.firstSeq()) {
            long first = journal.firstSeq();
            journal.removeBelow(below).whenComplete((done, failure) -> report(first, failure));
        }
    }

    private long limit() {
        return Math.min(neededFrom.getAsLong(), journal.lastSeq() + 1);
    }

    /**
     * Removes the oldest pushes however young they are, whole files and no more of them than make up for so many bytes; never
     * the file that is being written to. Blocks until the space is back.
     *
     * @return bytes of the files that are gone
     */
    long removeEarly(long bytes) {
        long below = filesBelow(limit(), bytes);
        long found = bytesBelow(below);
        if (found == 0) {
            return 0;
        }
        try {
            journal.removeBelow(below).toCompletableFuture().get(REMOVAL_SECONDS, TimeUnit.SECONDS);
            return found;
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("old pushes could not be removed: {}", String.valueOf(e.getMessage()));
            return 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 0;
        }
    }

    /** Where a file begins, at {@code limit} at most, before which files of so many bytes lie or, there being less, all there are. */
    long filesBelow(long limit, long bytes) {
        List<Journal.Extent> files = journal.extents();
        long below = journal.firstSeq();
        long found = 0;
        for (int i = 1; i < files.size() && found < bytes && files.get(i).firstSeq() <= limit; i++) {
            found += files.get(i - 1).bytes();
            below = files.get(i).firstSeq();
        }
        return below;
    }

    private long bytesBelow(long below) {
        List<Journal.Extent> files = journal.extents();
        long bytes = 0;
        for (int i = 1; i < files.size() && files.get(i).firstSeq() <= below; i++) {
            bytes += files.get(i - 1).bytes();
        }
        return bytes;
    }

    /** See {@link SegmentTimes#wholeBefore}. */
    long wholeBefore(long millis) {
        return times.wholeBefore(millis, clock.millis());
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
