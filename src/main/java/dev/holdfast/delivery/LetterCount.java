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
    /** Letters on their way into the journal or out of it: it may have them in its number, and this one not yet. */
    private int moving;
    /** Those that were. */
    private long moved;

    private long movedAtTick;
    /** Some moved while they were counted: it isn't known which of them the journal's number has in it. */
    private boolean doubtful;

    LetterCount(String consumer, Parts parts) {
        this.consumer = consumer;
        this.parts = parts;
    }

    /** Any thread. */
    long get() {
        return count.get();
    }

    /** A letter is on its way into the journal, or out of it. */
    void moves() {
        moving++;
    }

    /** It is there, or gone, or neither; and counted. */
    void moved() {
        moving--;
        moved++;
    }

    void added() {
        count.incrementAndGet();
    }

    void removed() {
        count.decrementAndGet();
    }

    /** Counts them in the journal. Where some move meanwhile, once more as soon as none do. */
    void look() {
        long before = moving + moved;
        doubtful = moving > 0;
        parts.reader()
                .executeBlocking(() -> parts.store().deadLetters().count(consumer), false)
                .onComplete(
                        found -> {
                            count.set(found);
                            doubtful |= moving + moved != before;
                        },
                        failure -> LOG.warn("{}: dead letters can't be counted: {}", consumer, failure.getMessage()));
    }

    /** Now and then. */
    void tick() {
        if (doubtful && moving == 0 && moved == movedAtTick) {
            look();
        }
        movedAtTick = moved;
    }
}
