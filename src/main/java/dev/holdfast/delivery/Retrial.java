package dev.holdfast.delivery;

import dev.holdfast.journal.DeadLetter;
import dev.holdfast.journal.DeadLetterFilter;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings dead letters of one consumer back to their lanes, in order, few at a time. Each stays a dead letter until it was
 * handled, so a stop on the way costs nothing but the wish. On the delivery's event loop.
 */
final class Retrial {
    private static final Logger LOG = LoggerFactory.getLogger(Retrial.class);
    private static final int MAX_OUTSTANDING = 512;
    private static final long MAX_BYTES = 8L * 1024 * 1024;
    private static final int PAGE = 64;

    private final String consumer;
    private final DeadLetterFilter filter;
    private final Parts parts;
    private final Set<Long> retried;
    private final Consumer<Parcel> deliver;
    private final DeliveryMeters meters;
    private long next;
    private int outstanding;
    private long bytes;
    private boolean reading;
    private boolean ended;

    /** @param retried positions of the letters that are in their lanes again, for all retrials of the consumer together */
    Retrial(
            String consumer,
            DeadLetterFilter filter,
            Parts parts,
            Set<Long> retried,
            Consumer<Parcel> deliver,
            DeliveryMeters meters) {
        this.consumer = consumer;
        this.filter = filter;
        this.parts = parts;
        this.retried = retried;
        this.deliver = deliver;
        this.meters = meters;
        this.next = filter.from();
    }

    /** Goes on unless enough is on its way. */
    void run() {
        if (reading || ended || outstanding >= MAX_OUTSTANDING || bytes >= MAX_BYTES) {
            return;
        }
        reading = true;
        parts.reader()
                .executeBlocking(() -> parts.journal().deadLetters(consumer, next, PAGE), false)
                .onSuccess(letters -> {
                    reading = false;
                    take(letters);
                    run();
                })
                .onFailure(failure -> {
                    reading = false;
                    LOG.warn("{}: dead letters can't be read from {}: {}", consumer, next, failure.getMessage());
                });
    }

    /** Whether all of them are back in their lanes, or done. */
    boolean hasEnded() {
        return ended;
    }

    /** Nothing more is brought back. */
    void end() {
        ended = true;
    }

    private void take(List<DeadLetter> letters) {
        for (DeadLetter letter : letters) {
            long seq = letter.push().seq();
            if (!letter.consumer().equals(consumer) || seq > filter.to()) {
                ended = true;
                return;
            }
            next = seq + 1;
            if (filter.matches(letter) && retried.add(seq)) {
                deliver(letter);
            }
        }
        ended |= letters.isEmpty();
    }

    private void deliver(DeadLetter letter) {
        long seq = letter.push().seq();
        long size = letter.push().body().length;
        outstanding++;
        bytes += size;
        deliver.accept(new Parcel(letter.push(), false, handled -> {
            outstanding--;
            bytes -= size;
            if (handled) {
                remove(seq);
            } else {
                retried.remove(seq);
            }
            run();
        }));
    }

    private void remove(long seq) {
        parts.journal()
                .removeDeadLetter(consumer, seq)
                .whenComplete((done, failure) -> parts.context().runOnContext(v -> {
                    retried.remove(seq);
                    if (failure == null) {
                        meters.mended();
                    } else {
                        LOG.error("{}: push {} was handled and stays a dead letter", consumer, seq, failure);
                    }
                }));
    }
}
