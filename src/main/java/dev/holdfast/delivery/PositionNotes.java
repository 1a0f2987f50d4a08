package dev.holdfast.delivery;

import dev.holdfast.store.BlockedPush;
import dev.holdfast.store.Checkpoint;
import dev.holdfast.store.PositionNote;
import dev.holdfast.store.PositionNoteForm;
import dev.holdfast.store.Store;
import dev.holdfast.store.StoreException;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notes the positions of all consumers in the journal, and which are paused, and takes them from there when the store has lost
 * them: it costs some pushes that come again, and no push. What is noted is what is durable in the store, never more; a part of a
 * replay is not noted. On the delivery's event loop.
 */
final class PositionNotes {
    private static final Logger LOG = LoggerFactory.getLogger(PositionNotes.class);

    /** Blocked pushes of one consumer that are noted; with more it goes on before the first of them. */
    static final int MOST_BLOCKED = 4096;

    private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long AFTER_FAILURE_NANOS = TimeUnit.MINUTES.toNanos(1);
    /** However much is blocked, notes don't fill the journal: after a long one it takes longer until the next. */
    private static final long NANOS_A_BYTE = TimeUnit.SECONDS.toNanos(1) / 16_384;

    private final DeliveryContext delivery;
    private volatile byte[] last = {};
    /** Until then the journal may know more than the store. */
    private boolean restored;

    private Future<Void> noting = Future.succeededFuture();
    private long nextAt = System.nanoTime();

    PositionNotes(DeliveryContext delivery) {
        this.delivery = delivery;
    }

    /**
     * Gives the consumers that have no position in the store the one that was noted last, with what was blocked below it; those
     * that were paused then are paused again. To come before any consumer is looked up, which would be a new one otherwise.
     */
    Future<Void> restore() {
        last = delivery.journal().lastNote().orElse(last);
        Set<String> known = delivery.store().positions().all().keySet();
        Future<Void> done = known.containsAll(PositionNoteForm.consumers(last))
                ? Future.succeededFuture()
                : restore(PositionNoteForm.decode(last), known);
        return done.map(v -> {
            restored = true;
            return null;
        });
    }

    private Future<Void> restore(PositionNote note, Set<String> known) {
        List<Checkpoint> lost = note.places().stream()
                .filter(place -> !known.contains(place.consumer()))
                .toList();
        if (lost.isEmpty()) {
            return Future.succeededFuture();
        }
        Map<String, Long> paused = new TreeMap<>(note.paused());
        paused.keySet().removeAll(known);
        LOG.warn(
                "the store has lost positions, and gets those that the journal has noted: {}",
                lost.stream()
                        .map(place -> shown(place, paused.containsKey(place.consumer())))
                        .toList());
        // The pauses first: whoever has a position has lost nothing.
        Store store = delivery.store();
        return all(paused.entrySet().stream().map(one -> store.consumerMarks().pause(one.getKey(), one.getValue())))
                .compose(v -> all(lost.stream().map(store.positions()::save)));
    }

    private Future<Void> all(Stream<CompletionStage<Void>> changes) {
        return Future.join(changes.map(delivery::durable).toList()).mapEmpty();
    }

    private static String shown(Checkpoint place, boolean paused) {
        return place.consumer() + " after push " + place.position() + " with "
                + place.blocked().size() + " blocked" + (paused ? ", paused" : "");
    }

    /** Notes what has changed, when it is time to. */
    void tick() {
        if (restored && noting.isComplete() && System.nanoTime() - nextAt >= 0) {
            noting = note();
        }
    }

    /** The last note: when the journal is closed it knows what the store knows. Any thread. */
    Future<Void> finish() {
        return delivery.onContext(() -> {
            noting = restored ? noting.eventually(this::note) : noting;
            return noting;
        });
    }

    /** Never fails: the next one will do. */
    private Future<Void> note() {
        return delivery.reading(this::state).transform(read -> {
            if (read.failed()) {
                nextAt = System.nanoTime() + AFTER_FAILURE_NANOS;
                LOG.warn(
                        "the positions can't be noted in the journal, which is tried again: {}",
                        read.cause().getMessage());
            } else {
                nextAt = System.nanoTime() + Math.max(EVERY_NANOS, read.result().length * NANOS_A_BYTE);
                note(read.result());
            }
            return Future.succeededFuture();
        });
    }

    private void note(byte[] state) {
        if (!Arrays.equals(state, last)) {
            delivery.journal().note(state);
            last = state;
        }
    }

    /** What is to be noted now; the last one while there are no consumers. Blocks. */
    private byte[] state() {
        List<Checkpoint> noted = new ArrayList<>();
        new TreeMap<>(delivery.store().positions().all()).forEach((name, position) -> {
            if (!RunningReplay.hasName(name)) {
                noted.add(durable(name, position, delivery.store()));
            }
        });
        return noted.isEmpty()
                ? last
                : PositionNoteForm.encode(
                        new PositionNote(noted, delivery.store().consumerMarks().paused()));
    }

    /**
     * Where a consumer goes on. The position is to be read first: what was blocked below it and no longer is a moment later is
     * done, and what is blocked by then beyond it comes twice at worst.
     *
     * @throws StoreException when the store can't be read at the moment
     */
    static Checkpoint durable(String consumer, long position, Store store) {
        boolean many = store.blockedPushes().count(consumer) > MOST_BLOCKED;
        List<BlockedPush.Key> blocked = store.blockedPushes().keys(consumer, many ? 1 : MOST_BLOCKED + 1);
        if (!blocked.isEmpty() && (many || blocked.size() > MOST_BLOCKED)) {
            return new Checkpoint(consumer, Math.min(position, blocked.get(0).seq() - 1), List.of(), List.of());
        }
        List<BlockedPush> waiting =
                blocked.stream().map(key -> new BlockedPush(key, null)).toList();
        return new Checkpoint(consumer, position, waiting, List.of());
    }
}
