package dev.holdfast.delivery;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.journal.Journal;
import dev.holdfast.journal.OrderedPushes;
import dev.holdfast.logging.Counted;
import dev.holdfast.store.BlockedPush;
import dev.holdfast.store.BlockedPushes;
import dev.holdfast.store.Checkpoint;
import dev.holdfast.store.Store;
import dev.holdfast.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a consumer goes on, or begins, with one source.
 *
 * @param name under which its checkpoints are kept
 * @param position everything up to it is done or blocked
 * @param blocked each lane that is blocked
 * @param deadLetters those that are not done by their positions and are dead letters already; may be asked by any thread
 */
record Resumption(String name, long position, List<BlockedLane> blocked, Set<Long> deadLetters) {
    /**
     * What a lane has to go on with.
     *
     * @param first its first blocked push
     * @param last the position of its last one
     */
    record BlockedLane(BlockedPush first, long last) {}

    private static final Logger LOG = LoggerFactory.getLogger(Resumption.class);
    private static final int PAGE = 512;

    /** For a consumer's live pushes behind a position. Blocks. */
    static Resumption of(ConsumerConfig config, long position, Journal journal, Store store) {
        String name = config.name();
        List<BlockedLane> blocked = blocked(name, new LaneKeys(config.orderBy()), journal, store);
        return new Resumption(name, position, blocked, deadLetters(name, store));
    }

    /** Where they can't be read some pushes come again that are dead letters already: that keeps no consumer from starting. */
    private static Set<Long> deadLetters(String name, Store store) {
        try {
            return Set.copyOf(
                    store.deadLetters().positions(name, store.blockedPushes().neededFrom(name)));
        } catch (StoreException e) {
            if (!store.writable()) {
                throw e;
            }
            LOG.atWarn()
                    .addKeyValue("consumer", name)
                    .log(
                            "{}: its dead letters can't be read, and some pushes may come again: {}",
                            name,
                            e.getMessage());
            return Set.of();
        }
    }

    /** For a consumer's part of a replay, that begins behind a position. Blocks. */
    static Resumption of(String name, long behind, LaneKeys keys, OrderedPushes source, Store store) {
        long position = store.positions().all().getOrDefault(name, behind);
        return new Resumption(name, position, blocked(name, keys, source, store), Set.of());
    }

    /**
     * The position behind which a consumer goes on, or begins.
     *
     * @param kept null: it is new
     */
    static long position(ConsumerConfig config, Journal journal, @Nullable Long kept) {
        long oldest = journal.firstSeq() - 1;
        long newest = journal.lastSeq();
        if (kept == null) {
            long start = config.start() == ConsumerConfig.Start.EARLIEST ? oldest : newest;
            LOG.atInfo()
                    .addKeyValue("consumer", config.name())
                    .log(
                            "{}: new, starts after push {} ({})",
                            config.name(),
                            start,
                            config.start().label());
            return start;
        }
        if (kept < oldest) {
            LOG.atWarn()
                    .addKeyValue("consumer", config.name())
                    .log(
                            "{}: pushes {} to {} are no longer kept and were not delivered",
                            config.name(),
                            kept + 1,
                            oldest);
        }
        if (kept > newest) {
            LOG.atWarn()
                    .addKeyValue("consumer", config.name())
                    .log(
                            "{}: its position {} is beyond the newest push: it goes on after {}",
                            config.name(),
                            kept,
                            newest);
        }
        return Math.max(oldest, Math.min(newest, kept));
    }

    private static List<BlockedLane> blocked(String name, LaneKeys keys, OrderedPushes source, Store store) {
        BlockedPushes references = store.blockedPushes();
        List<BlockedPush> first = references.firstOfEachLane(name, Integer.MAX_VALUE);
        List<String> others = first.stream()
                .map(one -> one.key().lane())
                .filter(lane -> !keys.made(lane))
                .toList();
        if (!others.isEmpty()) {
            LOG.atInfo()
                    .addKeyValue("consumer", name)
                    .log(
                            "{}: order-by has changed with {} blocked: the pushes there are spread anew",
                            name,
                            Counted.of(others.size(), "lane"));
            others.forEach(lane -> spread(name, lane, keys, source, store));
            return blocked(name, keys, source, store);
        }
        List<Long> last = references.lastOfEachLane(name);
        return IntStream.range(0, first.size())
                .mapToObj(lane -> new BlockedLane(first.get(lane), last.get(lane)))
                .toList();
    }

    /** What waits in a lane of another ordering goes to the lanes of this one; in pages, each all or nothing. */
    private static void spread(String name, String lane, LaneKeys keys, OrderedPushes source, Store store) {
        List<BlockedPush> page = store.blockedPushes().ofLane(name, lane, 0, PAGE);
        while (!page.isEmpty()) {
            List<BlockedPush.Key> released = page.stream().map(BlockedPush::key).toList();
            List<BlockedPush> blocked = new ArrayList<>();
            page.forEach(old -> source.get(old.key().seq())
                    .ifPresent(push -> blocked.add(
                            new BlockedPush(new BlockedPush.Key(keys.lane(push), push.seq()), old.retry()))));
            long position = store.positions().all().getOrDefault(name, 0L);
            store.positions()
                    .save(new Checkpoint(name, position, blocked, released))
                    .toCompletableFuture()
                    .join();
            page = store.blockedPushes().ofLane(name, lane, 0, PAGE);
        }
    }
}
