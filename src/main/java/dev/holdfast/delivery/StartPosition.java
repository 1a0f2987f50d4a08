package dev.holdfast.delivery;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.journal.Journal;
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

    /** The position up to which there is nothing to deliver. Reads the disk: blocks. */
    long find() {
        Long kept = journal.cursors().get(config.name());
        long oldest = journal.firstSeq() - 1;
        long newest = journal.lastSeq();
        if (kept == null) {
            long start = config.start() == ConsumerConfig.Start.EARLIEST ? oldest : newest;
            LOG.info("{}: new, starts after push {} ({})", config.name(), start, config.start());
            return start;
        }
        if (kept < oldest) {
            LOG.warn("{}: pushes {} to {} are no longer kept and were not delivered", config.name(), kept + 1, oldest);
            return oldest;
        }
        if (kept > newest) {
            LOG.warn("{}: its position {} lies beyond the newest push, goes on after {}", config.name(), kept, newest);
            return newest;
        }
        return kept;
    }
}
