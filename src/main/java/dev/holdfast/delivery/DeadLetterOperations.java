package dev.holdfast.delivery;

import dev.holdfast.push.PushFilter;
import dev.holdfast.store.DeadLetter;
import dev.holdfast.store.DeadLetterFilter;
import dev.holdfast.store.DeadLetterSearch;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What consumers failed for good, and what may be done about it. Any thread. */
public final class DeadLetterOperations {
    private static final Logger LOG = LoggerFactory.getLogger(DeadLetterOperations.class);
    /** So many are given up at once. */
    private static final int PAGE = 256;

    private final DeliveryContext delivery;
    private final Subscriptions subscriptions;
    private final RunningReplays replays;
    private final DeadLetterSearch search;

    DeadLetterOperations(DeliveryContext delivery, Subscriptions subscriptions, RunningReplays replays) {
        this.delivery = delivery;
        this.subscriptions = subscriptions;
        this.replays = replays;
        this.search = new DeadLetterSearch(delivery.store().deadLetters());
    }

    /** The consumers that are configured, and those that have dead letters all the same; by name. */
    public Future<SortedSet<String>> consumers() {
        return blocking(() -> {
            SortedSet<String> names = search.consumers();
            names.addAll(subscriptions.configured());
            return names;
        });
    }

    /**
     * Dead letters that match, in the order of consumer and position, from a place on.
     *
     * @param consumer where to begin; empty: with the first
     * @param part what is wanted of each; on a worker thread
     */
    public <T> Future<List<T>> list(
            DeadLetterFilter filter, String consumer, long seq, int max, Function<DeadLetter, T> part) {
        return blocking(() -> search.list(filter, consumer, seq, max, part));
    }

    /**
     * Brings the dead letters that match back to the lanes of their consumers, in their order and beside what waits there. A
     * letter stays one until it was handled. Those of consumers that don't run stay. Goes on after a restart.
     *
     * @return how many there are
     */
    public Future<Long> retry(DeadLetterFilter filter) {
        return blocking(() -> matching(filter)).compose(counts -> {
            if (counts.isEmpty()) {
                return Future.succeededFuture(0L);
            }
            PushFilter wanted = new PushFilter(filter.from(), filter.to(), null, filter.event(), 0, Long.MAX_VALUE);
            long all = counts.values().stream().mapToLong(Long::longValue).sum();
            return replays.retry(wanted, counts.keySet()).map(all);
        });
    }

    /** How many each consumer has that runs, and has any. */
    private Map<String, Long> matching(DeadLetterFilter filter) {
        Map<String, Long> counts = new HashMap<>();
        long last = delivery.journal().lastSeq();
        for (String consumer : subscriptions.names()) {
            if (filter.consumer() == null || filter.consumer().equals(consumer)) {
                counts.put(consumer, search.count(filter.of(consumer, last)));
            }
        }
        counts.values().removeIf(count -> count == 0);
        return counts;
    }

    /** How many that match stay as they are because their consumers don't run; by consumer. */
    public Future<SortedMap<String, Long>> staying(DeadLetterFilter filter) {
        return blocking(() -> {
            SortedMap<String, Long> staying = new TreeMap<>();
            Set<String> running = subscriptions.names();
            search.consumers().stream()
                    .filter(name -> !running.contains(name))
                    .filter(name ->
                            filter.consumer() == null || filter.consumer().equals(name))
                    .forEach(name -> staying.put(name, search.count(filter.of(name, filter.to()))));
            staying.values().removeIf(count -> count == 0);
            return staying;
        });
    }

    /** Whether pushes are kept for a consumer, be it running or not. */
    public boolean isConfigured(String consumer) {
        return subscriptions.configured().contains(consumer);
    }

    /**
     * Gives up the dead letters that match, also those that are being retried.
     *
     * @param reason why; kept with each
     * @return how many there were
     */
    public Future<Long> discard(DeadLetterFilter filter, String reason) {
        return blocking(() -> giveUp(filter, reason));
    }

    private long giveUp(DeadLetterFilter filter, String reason) {
        long[] count = {0};
        List<CompletableFuture<Void>> removals = new ArrayList<>();
        search.walk(filter, letter -> {
            removals.add(remove(letter, reason));
            LOG.info("{}: dead letter of {} discarded: {}", letter.consumer(), letter.push(), reason);
            count[0]++;
            if (removals.size() >= PAGE) {
                removals.forEach(CompletableFuture::join);
                removals.clear();
            }
            return true;
        });
        removals.forEach(CompletableFuture::join);
        return count[0];
    }

    private CompletableFuture<Void> remove(DeadLetter letter, String reason) {
        return delivery.store()
                .deadLetters()
                .discard(letter.consumer(), letter.push().seq(), reason)
                .toCompletableFuture();
    }

    private <T> Future<T> blocking(Callable<T> reading) {
        return delivery.vertx().executeBlocking(reading, false);
    }
}
