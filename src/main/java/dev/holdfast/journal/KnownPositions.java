package dev.holdfast.journal;

import dev.holdfast.store.Store;
import dev.holdfast.store.StoreException;
import java.util.LongSummaryStatistics;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Positions that were given to pushes, as the store knows, whatever is left of the journal: how far consumers have come, and what
 * of them lies beyond that. A push that got one of those again would be taken for the one before.
 */
final class KnownPositions {
    private static final Logger LOG = LoggerFactory.getLogger(KnownPositions.class);

    private KnownPositions() {}

    /** The newest of them; 0: there are none. Blocks; never fails, what can't be read counts as nothing. */
    static long newest(Store store) {
        Map<String, Long> positions = store.positions().all();
        LongSummaryStatistics known = new LongSummaryStatistics();
        known.accept(0);
        positions.values().forEach(known::accept);
        try {
            positions
                    .keySet()
                    .forEach(consumer -> known.accept(store.blockedPushes().last(consumer)));
            for (String consumer : store.deadLetters().consumers()) {
                store.deadLetters()
                        .newest(consumer, Long.MAX_VALUE, 1)
                        .forEach(letter -> known.accept(letter.push().seq()));
            }
        } catch (StoreException e) {
            LOG.warn("what the store has beyond consumers' positions can't be read: {}", e.getMessage());
        }
        return known.getMax();
    }
}
