package dev.holdfast.delivery;

import dev.holdfast.journal.Journal;
import dev.holdfast.journal.JournalException;
import dev.holdfast.push.PushRecord;
import dev.holdfast.store.BlockedPushes;
import dev.holdfast.store.DeadLetters;
import java.util.List;
import java.util.function.BooleanSupplier;

/** What one consumer has not had, what it failed for good, and whether it runs or is paused, as long as it is configured. */
final class BacklogMeters {
    private static final double MILLIS = 1000.0;

    private final Journal journal;
    private final BlockedPushes blocked;
    private final String consumer;
    private final ConsumerMeters meters;
    /** Of the oldest push at the last look. */
    private long oldestSeq;

    private long oldestAt;

    BacklogMeters(DeliveryContext delivery, String consumer, BooleanSupplier running) {
        this.meters = new ConsumerMeters(delivery.registry(), consumer);
        this.journal = delivery.journal();
        this.blocked = delivery.store().blockedPushes();
        this.consumer = consumer;
        meters.gauge(
                "running",
                "Whether the consumer has started: 1, or 0 while it is starting or can't start",
                () -> running.getAsBoolean() ? 1 : 0);
        DeadLetters letters = delivery.store().deadLetters();
        meters.gauge("lag.pushes", "Pushes in the journal that the consumer has not passed yet", () -> {
            long from = blocked.neededFrom(consumer);
            return from == 0 ? Double.NaN : Math.max(0, journal.lastSeq() + 1 - from);
        });
        meters.gauge("lag.seconds", "Age of the oldest push that the consumer has not had", this::ageSeconds);
        meters.gauge("dead.letters", "Dead letters that the consumer has", () -> letters.count(consumer));
        meters.gauge(
                "dead.letter.bytes",
                "Bytes of the consumer's dead letters, their pushes included",
                () -> letters.bytes(consumer));
        meters.gauge(
                "paused",
                "1 while the consumer is paused, else 0",
                () -> delivery.store().consumerMarks().paused().containsKey(consumer) ? 1 : 0);
        meters.gauge(
                "dead.letter.oldest.seconds",
                "Since the last failure of the consumer's oldest dead letter; 0 without one",
                () -> secondsSince(letters.oldestAt(consumer)));
    }

    private static double secondsSince(long millis) {
        return millis == DeadLetters.NEVER ? 0 : Math.max(0, System.currentTimeMillis() - millis) / MILLIS;
    }

    /**
     * How old the oldest push is that the consumer has not had, in seconds, since it was received; 0: it has had all; not a
     * number: nobody knows, or the disk can't be read at the moment. Any thread that may block.
     */
    synchronized double ageSeconds() {
        long from = blocked.neededFrom(consumer);
        if (from == 0) {
            return Double.NaN;
        }
        if (from > journal.lastSeq()) {
            return 0;
        }
        try {
            return from == oldestSeq || isThere(from) ? secondsSince(oldestAt) : 0;
        } catch (JournalException e) {
            return Double.NaN;
        }
    }

    private boolean isThere(long from) {
        List<PushRecord> oldest = journal.read(from, 1, 1);
        if (!oldest.isEmpty()) {
            oldestAt = oldest.get(0).receivedAt();
            oldestSeq = from;
        }
        return !oldest.isEmpty();
    }

    void remove() {
        meters.remove();
    }
}
