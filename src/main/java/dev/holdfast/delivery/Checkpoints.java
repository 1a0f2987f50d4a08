package dev.holdfast.delivery;

import dev.holdfast.retry.Outage;
import dev.holdfast.store.BlockedPush;
import dev.holdfast.store.Checkpoint;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How far one consumer has come with one source, and what it has noted of its lanes: in memory up to the present, and in the
 * store by checkpoints, of which one at a time is under way. Everything up to the {@link #position} is done or noted. On the
 * delivery's event loop, but for {@link #durable}.
 */
final class Checkpoints {
    private static final Logger LOG = LoggerFactory.getLogger(Checkpoints.class);
    private static final Comparator<BlockedPush.Key> ORDER =
            Comparator.comparing(BlockedPush.Key::lane).thenComparingLong(BlockedPush.Key::seq);

    private final String name;
    private final DeliveryContext delivery;
    private final Limits limits;
    private final Runnable onSaved;
    /** Taken in, and neither done nor noted, in the order of the source; the first of them holds the position. */
    private final Set<BlockedPush.Key> open = new LinkedHashSet<>();
    /** What is done beyond the position. */
    private final NavigableSet<Long> ahead = new TreeSet<>();

    private long front;
    private NavigableMap<BlockedPush.Key, BlockedPush> blocked = new TreeMap<>(ORDER);
    private NavigableSet<BlockedPush.Key> released = new TreeSet<>(ORDER);
    /** What the checkpoint under way notes. */
    private NavigableMap<BlockedPush.Key, BlockedPush> saving = new TreeMap<>(ORDER);

    /** Pushes done since the last checkpoint. */
    private int handled;

    private volatile long durable;
    private final Outage outage = new Outage();
    private Future<Void> written = Future.succeededFuture();
    /** The last one, from which others may go on: what is handled later is not in it. null: not asked for yet. */
    private @Nullable Future<Void> last;

    /** @param onSaved more may be handled and taken in, for a checkpoint was made, or none is to be waited for */
    Checkpoints(Resumption start, DeliveryContext delivery, Limits limits, Runnable onSaved) {
        this.name = start.name();
        this.durable = start.position();
        this.front = start.position();
        this.delivery = delivery;
        this.limits = limits;
        this.onSaved = onSaved;
    }

    /** Up to where the source was read. */
    long front() {
        return front;
    }

    /** The position that survives a crash. Any thread. */
    long durable() {
        return durable;
    }

    /** Whether the source may be read on: not while too much waits to be noted. */
    boolean hasRoom() {
        return blocked.size() < limits.unsaved();
    }

    /** Whether so much was handled since the last checkpoint that the next has to come first. */
    boolean isLate() {
        return handled >= limits.unsaved();
    }

    /** Up to here there is nothing that is not in a lane. */
    void reached(long seq) {
        front = Math.max(front, seq);
    }

    /** A push waits in memory and nowhere else: the position stays before it. */
    void opened(BlockedPush.Key key) {
        open.add(key);
    }

    /** Whether the store has a reference to a push that is taken in and not done, or gets one with the next checkpoint. */
    boolean isNoted(BlockedPush.Key key) {
        return !open.contains(key);
    }

    /** Notes a push; what was noted of its attempts stays, here and in the store. */
    void note(BlockedPush.Key key) {
        note(blocked.getOrDefault(key, saving.getOrDefault(key, new BlockedPush(key, null))));
    }

    /** Notes a push, and what has happened to it. */
    void note(BlockedPush push) {
        blocked.put(push.key(), push);
        released.remove(push.key());
        // Not before: where there was no memory for it, the position stays.
        open.remove(push.key());
    }

    /** A push is done: handled, a dead letter, or gone. */
    void done(BlockedPush.Key key) {
        handled++;
        if (!open.remove(key)) {
            blocked.remove(key);
            released.add(key);
        }
        ahead.add(key.seq());
        noteWhatHoldsThePosition(limits.ahead());
    }

    /** Until at most so many are done beyond the position. */
    private void noteWhatHoldsThePosition(int most) {
        ahead.headSet(position(), true).clear();
        while (ahead.size() > most) {
            note(open.iterator().next());
            ahead.headSet(position(), true).clear();
        }
    }

    /** Everything up to here is done or noted. */
    long position() {
        return open.isEmpty() ? front : open.iterator().next().seq() - 1;
    }

    /** References of a lane that the store may not know yet, from a position on. */
    Collection<BlockedPush> unsaved(String lane, long from) {
        NavigableMap<BlockedPush.Key, BlockedPush> found = new TreeMap<>(ORDER);
        BlockedPush.Key first = new BlockedPush.Key(lane, from);
        BlockedPush.Key last = new BlockedPush.Key(lane, Long.MAX_VALUE);
        found.putAll(saving.subMap(first, true, last, true));
        found.putAll(blocked.subMap(first, true, last, true));
        return found.values();
    }

    /** Whether the store has a reference, or gets it, which it may not know yet. */
    boolean isUnsaved(BlockedPush.Key key) {
        return blocked.containsKey(key) || (saving.containsKey(key) && !released.contains(key));
    }

    /** Whether the last one was asked for: what is not in it is another's. */
    boolean isFinished() {
        return last != null;
    }

    /** Makes a checkpoint when so much was handled that it is due. */
    void saveIfDue() {
        if (handled >= limits.saveEvery() || blocked.size() >= limits.saveEvery()) {
            save();
        }
    }

    /** Makes a checkpoint of what has changed, unless one is under way. */
    void save() {
        if (last == null) {
            write();
        }
    }

    private Future<Void> write() {
        if (written.isComplete()) {
            long position = position();
            boolean changed = position != durable || !blocked.isEmpty() || !released.isEmpty();
            if (changed) {
                written = write(position);
            } else {
                // All that was handled lies beyond the position: no checkpoint could have any of it.
                saved(position, handled);
            }
            // So much may have been handled while it was written that all wait for the next one.
            written.onSuccess(v -> saveIfDue());
        }
        return written;
    }

    private Future<Void> write(long position) {
        Checkpoint checkpoint = new Checkpoint(name, position, List.copyOf(blocked.values()), List.copyOf(released));
        saving = blocked;
        blocked = new TreeMap<>(ORDER);
        released = new TreeSet<>(ORDER);
        int covers = handled;
        // Soon enough that the consumer doesn't have to wait for it.
        boolean urgent = handled >= limits.unsaved() / 2;
        return delivery.durable(delivery.store().positions().save(checkpoint, urgent))
                .andThen((v, failure) -> {
                    if (failure == null) {
                        saved(position, covers);
                    } else {
                        notSaved(checkpoint, failure);
                    }
                });
    }

    private void saved(long position, int covers) {
        if (outage.over()) {
            LOG.atInfo().addKeyValue("consumer", name).log("{}: positions are kept again", name);
        }
        durable = position;
        handled -= covers;
        saving = new TreeMap<>(ORDER);
        onSaved.run();
    }

    /** What could not be kept goes with the next one, but for what has changed since. */
    private void notSaved(Checkpoint checkpoint, Throwable failure) {
        if (outage.failed()) {
            LOG.atWarn()
                    .addKeyValue("consumer", name)
                    .log(
                            "{}: position {} can't be kept, and is tried again: {}",
                            name,
                            checkpoint.position(),
                            failure.toString());
        }
        saving.keySet().removeAll(released);
        saving.forEach(blocked::putIfAbsent);
        saving = new TreeMap<>(ORDER);
        released.addAll(checkpoint.released());
        released.removeAll(blocked.keySet());
    }

    /** The last checkpoint: when it has succeeded nothing that was handled comes again. None is made any more. */
    Future<Void> finish() {
        if (last == null) {
            noteWhatHoldsThePosition(0);
            last = written.transform(before -> write());
        }
        return last;
    }
}
