package dev.holdfast.journal;

import dev.holdfast.config.JournalConfig;
import dev.holdfast.config.TimeSpan;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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
    private final Backlogs backlogs;
    private final Clock clock;

    public Retention(Journal journal, JournalConfig config, Backlogs backlogs, Clock clock) {
        this.journal = journal;
        this.times = new SegmentTimes(journal);
        this.config = config;
        this.backlogs = backlogs;
        this.clock = clock;
    }

    /** Blocks while it reads; the removal itself goes on in the background. */
    @Override
    public void run() {
        long oldestWanted = wholeBefore(clock.millis() - config.retention().toMillis());
        // What is removed no longer counts, even while its files are there.
        long firstThatFits = filesBelow(Long.MAX_VALUE, journal.size() - config.maxSize());
        long below = Math.min(limit(), Math.max(oldestWanted, firstThatFits));
        if (below > journal.firstSeq()) {
            long first = journal.firstSeq();
            journal.removeBelow(below).whenComplete((done, failure) -> report(first, failure));
        }
    }

    private long limit() {
        return Math.min(backlogs.neededFrom(), journal.lastSeq() + 1);
    }

    /**
     * Removes the oldest pushes however young they are, whole files and no more of them than make up for so many bytes; never
     * the file that is being written to. Blocks until the space is back.
     *
     * @return bytes of the files that are gone
     */
    long removeEarly(long bytes) {
        long below = filesBelow(limit(), bytes);
        long found = journal.extents().stream()
                .filter(file -> file.firstSeq() < below)
                .mapToLong(Journal.Extent::bytes)
                .sum();
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

    private long wholeBefore(long millis) {
        return times.wholeBefore(millis, clock.millis());
    }

    /** Pushes before this position may be given up: each is older than the hold of everybody who still needs it. */
    long overdueBelow() {
        long below = journal.lastSeq() + 1;
        for (Backlogs.Backlog backlog : backlogs.backlogs()) {
            below = Math.min(below, overdueBelow(backlog));
        }
        return below;
    }

    private long overdueBelow(Backlogs.Backlog backlog) {
        long young = wholeBefore(clock.millis() - backlog.hold().toMillis());
        return Math.max(backlog.from(), young);
    }

    /** Who needs the journal's first file, so that not even that may be given up, and why; empty when it is the only one. */
    Optional<String> whatHolds() {
        List<Journal.Extent> files = journal.extents();
        return backlogs.backlogs().stream()
                .filter(backlog ->
                        files.size() > 1 && overdueBelow(backlog) < files.get(1).firstSeq())
                .map(backlog -> backlog.name() + " needs pushes from " + backlog.from()
                        + " on, which are younger than its hold of " + TimeSpan.show(backlog.hold()))
                .findFirst();
    }

    /** Says what is gone; nothing is yet where the old pushes share a segment with younger ones. */
    private void report(long firstBefore, Throwable failure) {
        if (failure != null) {
            LOG.warn("old pushes could not be removed: {}", failure.getMessage());
        } else if (journal.firstSeq() > firstBefore) {
            LOG.info("pushes below {} are removed", journal.firstSeq());
        }
    }
}
