package dev.holdfast.delivery;

import dev.holdfast.push.PushRecord;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The dead letters of one consumer, as far as its ways have to know of them. On the delivery's event loop. */
final class LetterBox {
    private static final Logger LOG = LoggerFactory.getLogger(LetterBox.class);

    private final String consumer;
    private final Parts parts;
    private final DeliveryMeters meters;
    /** Those whose push comes once more on the ordinary way: a crash came between the letter and the cursor. */
    private final Set<Long> unsettled;
    /** Those that are no more, while a retry may still have them in memory. */
    private final Set<Long> gone = ConcurrentHashMap.newKeySet();

    private final AtomicInteger retries = new AtomicInteger();

    /** @param unsettled positions of the letters that the cursor has not passed */
    LetterBox(String consumer, Parts parts, DeliveryMeters meters, Collection<Long> unsettled) {
        this.consumer = consumer;
        this.parts = parts;
        this.meters = meters;
        this.unsettled = new HashSet<>(unsettled);
    }

    /** A push was buried on the ordinary way; true when it was no dead letter before. */
    boolean add(long seq) {
        return unsettled.isEmpty() || !unsettled.remove(seq);
    }

    /** A push was handled on the ordinary way; if it is a dead letter it no longer is. */
    void handledAgain(long seq) {
        if (!unsettled.isEmpty() && unsettled.remove(seq)) {
            // A retry that the crash met may have it in memory already.
            discarded(seq);
            remove(seq);
        }
    }

    /** A dead letter was handled after all. */
    void mended(PushRecord push) {
        if (retries.get() > 1) {
            gone.add(push.seq());
        }
        remove(push.seq());
    }

    /** A dead letter was given up. Any thread. */
    void discarded(long seq) {
        if (retries.get() > 0) {
            gone.add(seq);
        }
    }

    boolean isGone(long seq) {
        return gone.contains(seq);
    }

    void retryBegins() {
        retries.incrementAndGet();
    }

    void retryEnds() {
        if (retries.decrementAndGet() == 0) {
            gone.clear();
        }
    }

    private void remove(long seq) {
        parts.journal().removeDeadLetter(consumer, seq).whenComplete((done, failure) -> {
            if (failure == null) {
                meters.mended();
            } else {
                LOG.error("{}: push {} was handled and stays a dead letter", consumer, seq, failure);
            }
        });
    }

    /** Looks how many there are. */
    void count() {
        parts.reader()
                .executeBlocking(() -> parts.journal().countDeadLetters(consumer), false)
                .onSuccess(meters::deadLetters)
                .onFailure(
                        failure -> LOG.warn("{}: dead letters can't be counted: {}", consumer, failure.getMessage()));
    }
}
