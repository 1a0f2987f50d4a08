package dev.holdfast.delivery;

import dev.holdfast.store.Replay;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A replay on its way: each consumer that is there goes on with its part. On the delivery's event loop. */
final class RunningReplay {
    private static final Logger LOG = LoggerFactory.getLogger(RunningReplay.class);

    private final Replay start;
    private final Subscriptions subscriptions;
    private final Map<String, Replay.Leg> legs = new TreeMap<>();
    private final Map<String, Rerun> reruns = new HashMap<>();

    RunningReplay(Replay start, Subscriptions subscriptions) {
        this.start = start;
        this.subscriptions = subscriptions;
        start.legs().forEach(leg -> legs.put(leg.consumer(), leg));
    }

    /** Goes on. */
    void tick() {
        for (String consumer : List.copyOf(legs.keySet())) {
            Subscription subscription = subscriptions.get(consumer);
            if (subscription != null) {
                tick(consumer, subscription);
            } else if (!subscriptions.knows(consumer)) {
                LOG.info("replay {}: {} is no longer configured, and left out", start.id(), consumer);
                note(consumer);
                legs.remove(consumer);
            }
        }
    }

    private void tick(String consumer, Subscription subscription) {
        Rerun rerun = reruns.get(consumer);
        if (rerun != null && !subscription.isOf(rerun)) {
            // The consumer was started anew: so is its part, from where it had come.
            note(consumer);
            rerun = null;
        }
        Replay.Leg leg = legs.get(consumer);
        if (rerun == null && leg != null && !start.isDone(leg)) {
            rerun = subscription.rerun(start, leg);
            reruns.put(consumer, rerun);
        }
        if (rerun != null) {
            rerun.tick();
            if (rerun.isDone()) {
                subscription.end(rerun);
                note(consumer);
            }
        }
    }

    /** What has become of a consumer's part, which goes on no more. */
    private void note(String consumer) {
        Rerun rerun = reruns.remove(consumer);
        if (rerun != null) {
            legs.put(consumer, rerun.leg());
        }
    }

    /** Nothing more is sent. */
    void stop() {
        for (String consumer : List.copyOf(reruns.keySet())) {
            Rerun rerun = reruns.get(consumer);
            Subscription subscription = subscriptions.get(consumer);
            if (rerun != null && subscription != null && subscription.isOf(rerun)) {
                subscription.end(rerun);
            }
            note(consumer);
        }
    }

    /** How far it has come. */
    Replay progress() {
        List<Replay.Leg> now = new ArrayList<>();
        legs.forEach((consumer, leg) -> {
            Rerun rerun = reruns.get(consumer);
            now.add(rerun == null ? leg : rerun.leg());
        });
        return start.at(now);
    }

    boolean isDone() {
        return reruns.isEmpty() && legs.values().stream().allMatch(start::isDone);
    }

    /** Consumers that are away at the moment. */
    List<String> awaited() {
        return legs.values().stream()
                .filter(leg -> !start.isDone(leg) && subscriptions.get(leg.consumer()) == null)
                .map(Replay.Leg::consumer)
                .toList();
    }
}
