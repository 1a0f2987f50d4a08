package dev.holdfast.journal;

import dev.holdfast.store.Store;
import dev.holdfast.store.StoreException;
import java.util.stream.LongStream;
import java.util.stream.Stream;
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
        LongStream positions = store.positions().all().values().stream().mapToLong(Long::longValue);
        return LongStream.concat(positions, LongStream.of(beyond(store))).max().orElse(0);
    }

    private static long beyond(Store store) {
        try {
            LongStream blocked = store.positions().all().keySet().stream()
                    .mapToLong(consumer -> store.blockedPushes().last(consumer));
            Stream<Long> letters = store.deadLetters().consumers().stream()
                    .flatMap(consumer -> store.deadLetters().newest(consumer, Long.MAX_VALUE, 1).stream())
                    .map(letter -> letter.push().seq());
            return LongStream.concat(blocked, letters.mapToLong(Long::longValue))
                    .max()
                    .orElse(0);
        } catch (StoreException e) {
            LOG.warn("what the store has beyond consumers' positions can't be read: {}", e.getMessage());
            return 0;
        }
    }
}
