package dev.holdfast.delivery;

import dev.holdfast.logging.Counted;
import dev.holdfast.logging.Printable;
import dev.holdfast.push.PushRecord;
import dev.holdfast.store.BlockedPush;
import dev.holdfast.store.Checkpoint;
import dev.holdfast.store.Ledger;
import dev.holdfast.store.Store;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashSet;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pushes that are given up for one consumer because the disk is full: counted in the ledger by event, with their positions, in a
 * metric, and said in the log. By one thread that may block.
 */
final class GivenUp {
    private static final Logger LOG = LoggerFactory.getLogger(GivenUp.class);
    private static final int PAGE = 4096;
    /** Events come from outside: those beyond are counted without their names. */
    private static final int MOST_EVENTS = 100;

    private static final int LONGEST_EVENT = 100;

    private final DeliveryContext delivery;
    private final String cause;
    private final String consumer;
    /** Positions, by event. */
    private final Map<String, LongSummaryStatistics> uncounted = new TreeMap<>();

    private final LongSummaryStatistics all = new LongSummaryStatistics();
    private final Set<String> events = new HashSet<>();

    /** @param cause under which they are counted in the ledger */
    GivenUp(DeliveryContext delivery, String cause, String consumer) {
        this.delivery = delivery;
        this.cause = cause;
        this.consumer = consumer;
    }

    /** The metric of a consumer, for each cause. */
    static Counter counter(MeterRegistry registry, String cause, String consumer) {
        return Counter.builder("holdfast.consumer.given.up")
                .description(
                        "Pushes that the consumer, or a replay for it, had not had and that were given up on a full disk")
                .tag("cause", cause)
                .tag("consumer", consumer)
                .register(registry);
    }

    /**
     * Gives up what a consumer that is not delivered to at the moment has not had below a position: pushes that are blocked, and
     * those beyond its position. Its place is durable when this returns; each is counted when it is durable that it is gone, so
     * that a crash in between makes none count twice.
     *
     * @param wants what it subscribed to
     * @throws dev.holdfast.store.StoreException when the store can't be read at the moment
     * @throws java.util.concurrent.CompletionException when it can't be written: then it has the rest as before
     */
    void below(long below, Predicate<PushRecord> wants) {
        Store store = delivery.store();
        long position = store.positions().all().getOrDefault(consumer, 0L);
        Set<Long> blockedBeyond = new HashSet<>();
        List<BlockedPush.Key> blocked = blockedBelow(below);
        while (!blocked.isEmpty()) {
            count(blocked);
            save(new Checkpoint(consumer, position, List.of(), blocked));
            blocked.stream()
                    .map(BlockedPush.Key::seq)
                    .filter(seq -> seq > position)
                    .forEach(blockedBeyond::add);
            blocked = blockedBelow(below);
        }
        if (position < below - 1) {
            scan(position + 1, below - 1, push -> wants.test(push) && !blockedBeyond.contains(push.seq()));
            save(new Checkpoint(consumer, below - 1, List.of(), List.of()));
        }
        tell();
    }

    /** Counts pushes that are given up in another way. */
    void count(long from, long to, Predicate<PushRecord> which) {
        scan(from, to, which);
        addToLedger();
        tell();
    }

    private List<BlockedPush.Key> blockedBelow(long below) {
        return delivery.store().blockedPushes().keys(consumer, PAGE).stream()
                .filter(key -> key.seq() < below)
                .toList();
    }

    private void count(List<BlockedPush.Key> blocked) {
        Set<Long> seqs = new HashSet<>();
        blocked.forEach(key -> seqs.add(key.seq()));
        scan(blocked.get(0).seq(), blocked.get(blocked.size() - 1).seq(), push -> seqs.contains(push.seq()));
    }

    private void scan(long from, long to, Predicate<PushRecord> which) {
        delivery.journal().forEach(from, to, push -> {
            if (which.test(push)) {
                add(push);
            }
        });
    }

    private void add(PushRecord push) {
        String shown = Printable.line(push.envelope().event(), LONGEST_EVENT);
        if (events.size() < MOST_EVENTS) {
            events.add(shown);
        }
        uncounted
                .computeIfAbsent(events.contains(shown) ? shown : "", fresh -> new LongSummaryStatistics())
                .accept(push.seq());
    }

    private void save(Checkpoint checkpoint) {
        delivery.store().positions().save(checkpoint).toCompletableFuture().join();
        addToLedger();
    }

    private void addToLedger() {
        Ledger ledger = delivery.store().ledger();
        uncounted.forEach((event, seqs) -> {
            ledger.gaveUp(cause, consumer, event, seqs.getCount(), seqs.getMin(), seqs.getMax());
            counter(delivery.registry(), cause, consumer).increment((double) seqs.getCount());
            all.combine(seqs);
        });
        uncounted.clear();
        ledger.write();
    }

    private void tell() {
        if (all.getCount() > 0) {
            LOG.atError()
                    .addKeyValue("consumer", consumer)
                    .log(
                            "{}: {} from {} to {} given up because the disk is full and its hold over; in the ledger as"
                                    + " {}, and gone: {}",
                            consumer,
                            Counted.of(all.getCount(), "push"),
                            all.getMin(),
                            all.getMax(),
                            cause,
                            events);
        }
    }
}
