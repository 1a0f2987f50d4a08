package dev.holdfast.delivery;

import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How many dead letters one consumer has: counted in the journal now and then, and kept up in between. On the delivery's
 * event loop, unless said.
 */
final class LetterCount {
    private static final Logger LOG = LoggerFactory.getLogger(LetterCount.class);

    private final String consumer;
    private final Parts parts;
    private final AtomicLong count = new AtomicLong();
    /** Letters that came or went. */
    private long changes;

    private long changesAtTick;
    /** Letters came or went while they were counted: it isn't known which of them the journal's number has in it. */
    private boolean doubtful;

    LetterCount(String consumer, Parts parts) {
        this.consumer = consumer;
        this.parts = parts;
    }

    /** Any thread. */
    long get() {
        return count.get();
    }

    void added() {
        changes++;
        count.incrementAndGet();
    }

    void removed() {
        changes++;
        count.decrementAndGet();
    }

    /** Counts them in the journal. Where some come or go meanwhile, once more as soon as none do. */
    void look() {
        long before = changes;
        doubtful = false;
        parts.reader()
                .executeBlocking(() -> parts.journal().countDeadLetters(consumer), false)
                .onSuccess(found -> {
                    count.set(found);
                    doubtful |= changes != before;
                })
                .onFailure(
                        failure -> LOG.warn("{}: dead letters can't be counted: {}", consumer, failure.getMessage()));
    }

    /** Now and then. */
    void tick() {
        if (doubtful && changes == changesAtTick) {
            look();
        }
        changesAtTick = changes;
    }
}
