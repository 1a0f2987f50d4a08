package dev.holdfast.delivery;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.journal.Journal;
import dev.holdfast.journal.Progress;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where a consumer goes on, or begins. */
final class StartPosition {
    private static final Logger LOG = LoggerFactory.getLogger(StartPosition.class);

    private final Journal journal;
    private final ConsumerConfig config;

    StartPosition(Journal journal, ConsumerConfig config) {
        this.journal = journal;
        this.config = config;
    }

    /** What there is nothing to deliver of. Reads the disk: blocks. */
    Progress find() {
        Progress kept = journal.cursors().get(config.name());
        long oldest = journal.firstSeq() - 1;
        long newest = journal.lastSeq();
        if (kept == null) {
            long start = config.start() == ConsumerConfig.Start.EARLIEST ? oldest : newest;
            LOG.info("{}: new, starts after push {} ({})", config.name(), start, config.start());
            return Progress.upTo(start);
        }
        return within(oldest, newest, ordered(kept));
    }

    /** With other lanes than before, those that were behind can't be told from the rest: all are as far as the last one. */
    private Progress ordered(Progress kept) {
        String ordering = new Ordering(config.orderBy()).name();
        if (kept.behind().isEmpty() || kept.ordering().equals(ordering)) {
            return kept;
        }
        long start = kept.neededFrom() - 1;
        LOG.warn(
                "{}: order-by has changed while lanes were behind: pushes {} to {} may come again",
                config.name(),
                start + 1,
                kept.handled());
        return Progress.upTo(start);
    }

    private Progress within(long oldest, long newest, Progress kept) {
        if (kept.neededFrom() <= oldest) {
            LOG.warn(
                    "{}: pushes {} to {} are no longer kept and were not delivered",
                    config.name(),
                    kept.neededFrom(),
                    oldest);
        }
        if (kept.handled() > newest) {
            LOG.warn(
                    "{}: its position {} lies beyond the newest push, goes on after {}",
                    config.name(),
                    kept.handled(),
                    newest);
        }
        long handled = Math.max(oldest, Math.min(newest, kept.handled()));
        Map<String, Long> behind = new HashMap<>();
        kept.behind().forEach((lane, seq) -> {
            if (seq <= handled && handled > oldest) {
                behind.put(lane, Math.max(seq, oldest + 1));
            }
        });
        return new Progress(handled, behind.isEmpty() ? "" : kept.ordering(), behind);
    }
}
