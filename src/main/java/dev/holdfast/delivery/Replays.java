package dev.holdfast.delivery;

import dev.holdfast.journal.Journal;
import dev.holdfast.journal.PushFilter;
import dev.holdfast.journal.Replay;
import dev.holdfast.push.PushRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** The replays on their way. Changed on the delivery's event loop; looked at by any thread. */
final class Replays {
    private static final int READ_PUSHES = 512;
    private static final long READ_BYTES = 2L * 1024 * 1024;

    private final Map<String, RunningReplay> running = new ConcurrentHashMap<>();
    private final Map<String, Replay> shown = new ConcurrentHashMap<>();
    private final Parts parts;
    private final Map<String, Subscription> subscriptions;
    private long lastTick = System.nanoTime();

    Replays(Parts parts, Map<String, Subscription> subscriptions) {
        this.parts = parts;
        this.subscriptions = subscriptions;
    }

    void begin(Replay replay) {
        shown.put(replay.id(), replay);
        running.put(replay.id(), new RunningReplay(replay, parts, subscriptions));
    }

    /** Whether there was one. */
    boolean end(String id) {
        RunningReplay replay = running.remove(id);
        shown.remove(id);
        if (replay == null) {
            return false;
        }
        replay.end();
        return true;
    }

    void tick() {
        long now = System.nanoTime();
        double seconds = (now - lastTick) / 1e9;
        lastTick = now;
        for (Map.Entry<String, RunningReplay> entry : running.entrySet()) {
            RunningReplay replay = entry.getValue();
            replay.tick(seconds);
            shown.put(entry.getKey(), replay.progress());
            if (replay.hasEnded()) {
                end(entry.getKey());
            }
        }
    }

    List<Replay> progress() {
        return new ArrayList<>(shown.values());
    }

    /** The lowest position that one of them still needs. */
    long neededFrom() {
        return shown.values().stream().mapToLong(Replay::next).min().orElse(Long.MAX_VALUE);
    }

    /** Walks through the pushes that match until {@code more} says no. Blocks; any thread that may. */
    static void walk(Journal journal, PushFilter filter, Predicate<PushRecord> more) {
        long next = Math.max(filter.from(), journal.firstSeq());
        long last = Math.min(filter.to(), journal.lastSeq());
        while (next <= last) {
            List<PushRecord> pushes = journal.read(next, READ_PUSHES, READ_BYTES);
            if (pushes.isEmpty()) {
                return;
            }
            for (PushRecord push : pushes) {
                if (filter.matches(push) && !more.test(push)) {
                    return;
                }
                next = push.seq() + 1;
            }
        }
    }
}
