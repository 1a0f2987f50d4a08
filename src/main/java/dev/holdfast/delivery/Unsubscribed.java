package dev.holdfast.delivery;

import dev.holdfast.store.Ledger;
import dev.holdfast.store.LedgerCause;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts pushes that no consumer subscribed to, and names each event once. Any thread. */
final class Unsubscribed {
    private static final Logger LOG = LoggerFactory.getLogger(Unsubscribed.class);
    /** Events come from outside: what is remembered of them is bounded, and so is what is logged. */
    private static final int MAX_NAMED = 1024;

    private final Ledger ledger;
    private final Counter counter;
    private final Set<String> named = new HashSet<>();

    Unsubscribed(MeterRegistry registry, Ledger ledger) {
        this.ledger = ledger;
        counter = Counter.builder("holdfast.pushes.unsubscribed")
                .description("Pushes that no consumer subscribed to; they are kept all the same")
                .register(registry);
    }

    synchronized void count(String event, String endpoint) {
        counter.increment();
        ledger.count(LedgerCause.UNSUBSCRIBED, endpoint);
        if (named.size() < MAX_NAMED && named.add(event)) {
            LOG.warn("no consumer subscribed to {}: its pushes are kept, and delivered to nobody", event);
            if (named.size() == MAX_NAMED) {
                LOG.warn("{} events without a consumer were named; further ones are only counted", MAX_NAMED);
            }
        }
    }
}
