package dev.holdfast.delivery;

import dev.holdfast.journal.Replay;
import dev.holdfast.push.PushRecord;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A replay on its way: reads the journal at a bounded rate beside live delivery, gives the pushes that match to the lanes
 * of their consumers, and keeps durably how far that has come. On the delivery's event loop.
 */
final class RunningReplay {
    private static final Logger LOG = LoggerFactory.getLogger(RunningReplay.class);
    private static final int MAX_OUTSTANDING = 512;
    private static final long MAX_BYTES = 8L * 1024 * 1024;
    private static final int SAVE_EVERY_TICKS = 5;

    private final Parts parts;
    private final Map<String, Subscription> subscriptions;
    private final Replay start;
    /** What consumers have not handled yet, by position and consumer. */
    private final TreeMap<Long, Map<String, Subscription>> outstanding = new TreeMap<>();
    /** What was read and is not given out yet. */
    private final Deque<PushRecord> found = new ArrayDeque<>();

    private long next;
    private long delivered;
    private long failed;
    private long bytes;
    private int ticks;
    private double budget;
    private boolean reading;
    private boolean ended;

    /** @param subscriptions the consumers that are delivered to at the moment */
    RunningReplay(Replay start, Parts parts, Map<String, Subscription> subscriptions) {
        this.start = start;
        this.parts = parts;
        this.subscriptions = subscriptions;
        this.next = Math.max(start.next(), start.filter().from());
        this.delivered = start.delivered();
        this.failed = start.failed();
    }

    /** How far it has come: what is below is done. */
    Replay progress() {
        long done = found.isEmpty() ? next : Math.min(next, found.getFirst().seq());
        return start.at(outstanding.isEmpty() ? done : Math.min(done, outstanding.firstKey()), delivered, failed);
    }

    boolean hasEnded() {
        return ended;
    }

    /** Nothing more is given out; what is in its lane stays there. */
    void end() {
        ended = true;
    }

    /** Goes on by what the rate allows for the time since the last tick. */
    void tick(double seconds) {
        // With one of its consumers away it waits: what passes now would pass it by.
        if (ended || !subscriptions.keySet().containsAll(start.consumers())) {
            return;
        }
        budget = Math.min(budget + start.rate() * seconds, Math.max(1, start.rate()));
        giveAgain();
        give();
        read();
        if (next > start.filter().to() && found.isEmpty() && outstanding.isEmpty()) {
            ended = true;
            parts.journal().removeReplay(start.id());
            LOG.info("replay {} is done: {} handled, {} dead letters", start.id(), delivered, failed);
        } else if (++ticks % SAVE_EVERY_TICKS == 0) {
            parts.journal().saveReplay(progress());
        }
    }

    private void give() {
        while (!found.isEmpty() && budget >= 1 && outstanding.size() < MAX_OUTSTANDING && bytes < MAX_BYTES) {
            budget--;
            PushRecord push = found.removeFirst();
            for (String consumer : start.consumers()) {
                Subscription subscription = Objects.requireNonNull(subscriptions.get(consumer));
                if (subscription.wants(push.envelope().event())) {
                    give(push, consumer, subscription);
                }
            }
        }
    }

    private void give(PushRecord push, String consumer, Subscription subscription) {
        outstanding.computeIfAbsent(push.seq(), seq -> new HashMap<>()).put(consumer, subscription);
        bytes += push.body().length;
        subscription.deliver(new Parcel(push, true, handled -> {
            delivered += handled ? 1 : 0;
            failed += handled ? 0 : 1;
            taken(push, consumer, subscription);
        }));
    }

    private void taken(PushRecord push, String consumer, Subscription subscription) {
        Map<String, Subscription> waiting = outstanding.get(push.seq());
        if (waiting != null && waiting.remove(consumer, subscription)) {
            bytes -= push.body().length;
            if (waiting.isEmpty()) {
                outstanding.remove(push.seq());
            }
        }
    }

    /** A consumer that was started anew has forgotten what it was given: it is read again. */
    private void giveAgain() {
        Iterator<Map.Entry<Long, Map<String, Subscription>>> pushes =
                outstanding.entrySet().iterator();
        while (pushes.hasNext()) {
            Map.Entry<Long, Map<String, Subscription>> push = pushes.next();
            boolean forgotten = push.getValue().entrySet().stream()
                    .anyMatch(consumer -> subscriptions.get(consumer.getKey()) != consumer.getValue());
            if (forgotten) {
                next = Math.min(next, push.getKey());
                found.clear();
                pushes.remove();
            }
        }
        if (outstanding.isEmpty()) {
            bytes = 0;
        }
    }

    private void read() {
        if (reading || !found.isEmpty() || next > start.filter().to()) {
            return;
        }
        reading = true;
        long from = next;
        parts.reader()
                .executeBlocking(
                        () -> parts.journal().read(from, parts.bounds().read(), Subscription.READ_BYTES), false)
                .onSuccess(pushes -> {
                    reading = false;
                    if (next == from) {
                        take(pushes);
                    }
                })
                .onFailure(failure -> {
                    reading = false;
                    LOG.warn(
                            "replay {}: the journal can't be read from {}: {}", start.id(), from, failure.getMessage());
                });
    }

    private void take(List<PushRecord> pushes) {
        for (PushRecord push : pushes) {
            next = push.seq() + 1;
            if (start.filter().matches(push) && !outstanding.containsKey(push.seq())) {
                found.add(push);
            }
        }
        if (pushes.isEmpty()) {
            next = start.filter().to() + 1;
        }
    }
}
