package dev.holdfast.delivery;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.journal.Journal;
import dev.holdfast.store.DeadLetterFilter;
import dev.holdfast.store.DeadLetterSearch;
import dev.holdfast.store.Progress;
import dev.holdfast.store.Store;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where a consumer goes on, or begins. */
final class StartPosition {
    private static final Logger LOG = LoggerFactory.getLogger(StartPosition.class);

    /**
     * @param progress what there is nothing to deliver of
     * @param unsettledLetters positions of dead letters whose push may come once more
     */
    record Start(Progress progress, List<Long> unsettledLetters) {
        Start {
            unsettledLetters = List.copyOf(unsettledLetters);
        }
    }

    private final Journal journal;
    private final Store store;
    private final ConsumerConfig config;

    StartPosition(Journal journal, Store store, ConsumerConfig config) {
        this.journal = journal;
        this.store = store;
        this.config = config;
    }

    /** Reads the disk: blocks. */
    Start find() {
        Progress progress = progress();
        List<Long> unsettled = new ArrayList<>();
        new DeadLetterSearch(store.deadLetters())
                .walk(
                        new DeadLetterFilter(config.name(), null, progress.neededFrom(), Long.MAX_VALUE),
                        letter -> unsettled.add(letter.push().seq()));
        return new Start(progress, unsettled);
    }

    /** What there is nothing to deliver of. */
    private Progress progress() {
        Progress kept = store.cursors().all().get(config.name());
        long oldest = journal.firstSeq() - 1;
        long newest = journal.lastSeq();
        if (kept == null) {
            long start = config.start() == ConsumerConfig.Start.EARLIEST ? oldest : newest;
            LOG.info("{}: new, starts after push {} ({})", config.name(), start, config.start());
            return Progress.upTo(start);
        }
        return within(oldest, newest, ordered(kept));
    }

    private Progress ordered(Progress kept) {
        Progress ordered = kept.under(new Ordering(config.orderBy()).name());
        if (!ordered.equals(kept)) {
            LOG.warn(
                    "{}: order-by has changed while lanes were behind: pushes {} to {} may come again",
                    config.name(),
                    ordered.handled() + 1,
                    kept.handled());
        }
        return ordered;
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
