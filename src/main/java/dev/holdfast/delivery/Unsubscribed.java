package dev.holdfast.delivery;

import dev.holdfast.logging.Printable;
import dev.holdfast.store.Ledger;
import dev.holdfast.store.LedgerCause;
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
    private final EventMeters counter;
    private final Set<String> named = new HashSet<>();

    Unsubscribed(MeterRegistry registry, Ledger ledger) {
        this.ledger = ledger;
        counter = new EventMeters(
                registry,
                "holdfast.pushes.unsubscribed",
                "Pushes that no consumer subscribed to, by event; they are kept all the same");
    }

    synchronized void count(String event, String endpoint) {
        counter.count(event);
        ledger.count(LedgerCause.UNSUBSCRIBED, endpoint);
        if (named.size() < MAX_NAMED && named.add(event)) {
            LOG.atWarn()
                    .addKeyValue("event", event)
                    .addKeyValue("endpoint", endpoint)
                    .log(
                            "no consumer subscribed to {}: its pushes are kept, and delivered to nobody",
                            Printable.line(event));
            if (named.size() == MAX_NAMED) {
                LOG.warn("{} events without a consumer were named; further ones are only counted", MAX_NAMED);
            }
        }
    }
}
