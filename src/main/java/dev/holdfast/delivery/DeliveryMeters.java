package dev.holdfast.delivery;

import dev.holdfast.journal.Journal;
import dev.holdfast.journal.JournalException;
import dev.holdfast.push.PushRecord;
import dev.holdfast.store.BlockedPushes;
import dev.holdfast.store.DeadLetters;
import dev.holdfast.store.LedgerCause;
import dev.holdfast.store.StoreException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** What is measured of one consumer as long as it is configured: what it has had and has not, and how it is delivered to. */
final class DeliveryMeters {
    private static final String PREFIX = "holdfast.consumer.";
    private static final double MILLIS = 1000.0;

    final Counter delivered;
    final Counter retried;
    final Counter deadLettered;
    final Counter mismatched;

    private final MeterRegistry registry;
    private final Journal journal;
    private final BlockedPushes blocked;
    private final String consumer;
    private final List<Meter> meters = new ArrayList<>();
    private final Supplier<@Nullable LiveFeed> live;
    /** The oldest push at the last look, and when it was accepted. */
    private long oldestSeq;

    private long oldestAt;

    /**
     * @param running whether the consumer has started
     * @param live its feed; null: it is not delivered to at the moment
     */
    DeliveryMeters(
            DeliveryContext delivery, String consumer, BooleanSupplier running, Supplier<@Nullable LiveFeed> live) {
        this.registry = delivery.registry();
        this.journal = delivery.journal();
        this.blocked = delivery.store().blockedPushes();
        this.consumer = consumer;
        this.live = live;
        delivered = counter("delivered", "Pushes that the consumer has handled");
        retried = counter("retried", "Attempts that failed and will be made again");
        deadLettered = counter("dead.lettered", "Pushes that the consumer failed for good");
        mismatched = counter(
                "receipts.mismatched",
                "Receipts of other pushes than were sent: not believed, the pushes were sent again");
        meters.add(GivenUp.counter(registry, LedgerCause.GIVEN_UP, consumer));
        meters.add(GivenUp.counter(registry, LedgerCause.REPLAY_GIVEN_UP, consumer));
        gauge(
                "running",
                "Whether the consumer has started: 1, or 0 while it is starting or can't start",
                () -> running.getAsBoolean() ? 1 : 0);
        gauge(
                "paused",
                "1 while the consumer is paused, else 0",
                () -> delivery.store().consumerMarks().paused().containsKey(consumer) ? 1 : 0);
        ofBacklog();
        ofDeadLetters(delivery.store().deadLetters());
        ofLanes();
    }

    private void ofBacklog() {
        gauge("lag.pushes", "How many positions the journal is ahead of what the consumer has done all of", this::lag);
        gauge("lag.seconds", "Age of the oldest push that the consumer has not had", this::ageSeconds);
    }

    private void ofDeadLetters(DeadLetters letters) {
        gauge("dead.letters", "Dead letters that the consumer has", () -> letters.count(consumer));
        gauge(
                "dead.letter.bytes",
                "Bytes of the consumer's dead letters, their pushes included",
                () -> letters.bytes(consumer));
        gauge(
                "dead.letter.oldest.seconds",
                "Since the last failure of the consumer's oldest dead letter; 0 without one",
                () -> oldestSeconds(letters));
    }

    /** Not a number while the store can't be read. */
    private double oldestSeconds(DeadLetters letters) {
        try {
            return secondsSince(letters.oldestAt(consumer));
        } catch (StoreException e) {
            return Double.NaN;
        }
    }

    private void ofLanes() {
        for (CircuitBreaker.State state : CircuitBreaker.State.values()) {
            gauge(
                    "breaker.state",
                    "1 for the state that the consumer's circuit breaker is in, 0 for all others; it opens"
                            + " when its attempts fail one after the other",
                    of(feed -> feed.shared().breaker().state() == state ? 1 : 0),
                    "state",
                    state.label());
        }
        gauge(
                "lanes.blocked",
                "Lanes whose pushes wait as references in the store",
                of(feed -> feed.lanes().blocked()));
        gauge(
                "lanes.backing.off",
                "Lanes whose first push failed and waits for its next attempt",
                of(feed -> feed.scheduler().backingOff()));
    }

    /** Not a number while it is not delivered to. */
    private Supplier<Number> of(ToDoubleFunction<LiveFeed> value) {
        return () -> {
            LiveFeed feed = live.get();
            return feed == null ? Double.NaN : value.applyAsDouble(feed);
        };
    }

    private Counter counter(String name, String description) {
        Counter counter = Counter.builder(PREFIX + name)
                .description(description)
                .tag("consumer", consumer)
                .register(registry);
        meters.add(counter);
        return counter;
    }

    /** @param tags beside the consumer: keys and values by turns */
    private void gauge(String name, String description, Supplier<Number> value, String... tags) {
        meters.add(Gauge.builder(PREFIX + name, value)
                .description(description)
                .tag("consumer", consumer)
                .tags(tags)
                .register(registry));
    }

    private static double secondsSince(long millis) {
        return millis == DeadLetters.NEVER ? 0 : Math.max(0, System.currentTimeMillis() - millis) / MILLIS;
    }

    /** How many positions of the journal it is behind; not a number: nobody knows. Any thread. */
    double lag() {
        long from = blocked.neededFrom(consumer);
        return from == 0 ? Double.NaN : Math.max(0, journal.lastSeq() + 1 - Math.max(from, journal.firstSeq()));
    }

    /**
     * How old the oldest push is that the consumer has not had, in seconds, since it was accepted; 0: it has had all; not a
     * number: nobody knows, or the disk can't be read at the moment. Any thread that may block.
     */
    synchronized double ageSeconds() {
        long from = blocked.neededFrom(consumer);
        if (from == 0) {
            return Double.NaN;
        }
        if (from != oldestSeq) {
            try {
                List<PushRecord> oldest = journal.read(from, 1, 1);
                if (oldest.isEmpty()) {
                    return 0;
                }
                oldestAt = oldest.get(0).acceptedAt();
                oldestSeq = from;
            } catch (JournalException e) {
                return Double.NaN;
            }
        }
        return secondsSince(oldestAt);
    }

    void remove() {
        meters.forEach(registry::remove);
    }
}
