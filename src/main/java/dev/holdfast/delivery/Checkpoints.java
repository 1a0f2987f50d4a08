package dev.holdfast.delivery;

import dev.holdfast.retry.Outage;
import dev.holdfast.store.BlockedPush;
import dev.holdfast.store.Checkpoint;
import dev.holdfast.store.Positions;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
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
    private final Positions positions;
    private final Context context;
    private final Limits limits;
    private final Runnable onSaved;
    /** Taken in and beyond the position, in the order of the source; the first of them holds the position. */
    private final Deque<LaneEntry> open = new ArrayDeque<>();
    /** Those of them that are done. */
    private int openDone;
    /** What was done beyond the position and was noted before it was taken in. */
    private final NavigableSet<Long> othersDone = new TreeSet<>();

    private long front;
    private NavigableMap<BlockedPush.Key, BlockedPush> blocked = new TreeMap<>(ORDER);
    private NavigableSet<BlockedPush.Key> released = new TreeSet<>(ORDER);
    /** What the checkpoint under way notes. */
    private NavigableMap<BlockedPush.Key, BlockedPush> saving = new TreeMap<>(ORDER);

    private long handled;
    private long handledDurably;
    private volatile long durable;
    private final Outage outage = new Outage();
    private Future<Void> written = Future.succeededFuture();
    /** The last one: what comes back of a batch later belongs to whoever went on from there. null: not asked for yet. */
    private @Nullable Future<Void> last;

    /** @param onSaved more may be handled and taken in, for a checkpoint was made, or none is to be waited for */
    Checkpoints(Resumption start, DeliveryContext delivery, Limits limits, Runnable onSaved) {
        this.name = start.name();
        this.durable = start.position();
        this.front = start.position();
        this.positions = delivery.store().positions();
        this.context = delivery.context();
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
        return handled - handledDurably >= limits.unsaved();
    }

    /** Up to here there is nothing that is not in a lane. */
    void reached(long seq) {
        front = Math.max(front, seq);
    }

    /** A push waits in memory and nowhere else: the position stays before it. */
    void opened(LaneEntry entry) {
        entry.open = true;
        open.addLast(entry);
        front = Math.max(front, entry.seq());
    }

    /** Notes a push that is in memory, or what has happened to it. */
    void note(LaneEntry entry) {
        entry.noted = true;
        blocked.put(entry.key, new BlockedPush(entry.key, entry.retry));
        released.remove(entry.key);
    }

    /** Notes a push that is not in memory; what was noted of its attempts stays, here and in the store. */
    void note(BlockedPush.Key key) {
        blocked.putIfAbsent(key, saving.getOrDefault(key, new BlockedPush(key, null)));
        released.remove(key);
    }

    /** A push is done: handled, a dead letter, or gone. */
    void done(LaneEntry entry) {
        handled++;
        entry.done = true;
        if (entry.noted) {
            blocked.remove(entry.key);
            released.add(entry.key);
        }
        if (entry.open) {
            openDone++;
        } else if (!open.isEmpty() && entry.seq() > open.getFirst().seq()) {
            othersDone.add(entry.seq());
        }
        if (openDone + othersDone.size() > limits.ahead()) {
            noteWhatHoldsThePosition(limits.ahead());
        }
    }

    /** Until at most so many are done beyond the position. */
    private void noteWhatHoldsThePosition(int most) {
        position();
        while (openDone + othersDone.size() > most) {
            note(open.getFirst());
            position();
        }
    }

    /** Everything up to here is done or noted. */
    long position() {
        while (!open.isEmpty() && (open.getFirst().done || open.getFirst().noted)) {
            LaneEntry first = open.removeFirst();
            first.open = false;
            openDone -= first.done ? 1 : 0;
        }
        long position = open.isEmpty() ? front : open.getFirst().seq() - 1;
        othersDone.headSet(position, true).clear();
        return position;
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
        if (handled - handledDurably >= limits.saveEvery() || blocked.size() >= limits.saveEvery()) {
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
            written = changed ? write(position) : nothingToKeep();
            // So much may have been handled meanwhile that nothing more is until the next one.
            written.onSuccess(v -> saveIfDue());
        }
        return written;
    }

    /** All that was handled lies beyond the position, which has not moved: no checkpoint could have any of it. */
    private Future<Void> nothingToKeep() {
        boolean waited = isLate();
        handledDurably = handled;
        if (waited) {
            onSaved.run();
        }
        return Future.succeededFuture();
    }

    private Future<Void> write(long position) {
        Checkpoint checkpoint = new Checkpoint(name, position, List.copyOf(blocked.values()), List.copyOf(released));
        saving = blocked;
        blocked = new TreeMap<>(ORDER);
        released = new TreeSet<>(ORDER);
        long covers = handled;
        // Soon enough that the consumer doesn't have to wait for it.
        boolean urgent = handled - handledDurably >= limits.unsaved() / 2;
        return Future.fromCompletionStage(positions.save(checkpoint, urgent), context)
                .andThen((v, failure) -> {
                    if (failure == null) {
                        saved(position, covers);
                    } else {
                        notSaved(checkpoint, failure);
                    }
                });
    }

    private void saved(long position, long covers) {
        if (outage.over()) {
            LOG.info("{}: positions are kept again", name);
        }
        durable = position;
        handledDurably = covers;
        saving = new TreeMap<>(ORDER);
        onSaved.run();
    }

    /** What could not be kept goes with the next one, but for what has changed since. */
    private void notSaved(Checkpoint checkpoint, Throwable failure) {
        if (outage.failed()) {
            LOG.warn(
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
