package dev.holdfast.delivery;

import dev.holdfast.delivery.Lane.Entry;
import dev.holdfast.push.PushRecord;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pushes of one source on their way to one consumer: those that come in, or a replay. Reads the source forward, as far as
 * there is room, spreads the pushes over lanes of its own, and reads back what lanes have noted when their turn comes. On the
 * delivery's event loop.
 */
abstract class Feed {
    private static final Logger LOG = LoggerFactory.getLogger(Feed.class);
    /** While pushes come in there is mostly a rest from reading: they are hardly the slower for it. */
    private static final int RESTS = 3;
    /** A rest from reading what is only noted: else all of a backlog was, while its only lane fails for a moment. */
    private static final long NOTING_MILLIS = 10;
    /** So many ticks without anything coming on make lanes overflow. */
    private static final int STALLED_TICKS = 5;

    private final DeliveryContext delivery;
    private final Limits limits;
    private final Source source;
    private final LaneKeys keys;
    private final String name;
    private final LaneScheduler scheduler;
    private final Checkpoints checkpoints;
    private final Lanes lanes;
    private final CircuitBreaker breaker;
    private final Runnable onReady;
    private boolean reading;
    private boolean resting;
    private boolean stopped;
    private long frontAtTick;
    private int stalledTicks;

    /**
     * Pushes of the source that are wanted, and their lanes.
     *
     * @param upTo there is nothing else up to here
     */
    private record Page(List<PushRecord> pushes, List<String> lanes, long upTo) {}

    /** @param onReady lanes may have become ready */
    Feed(
            Resumption start,
            Source source,
            LaneKeys keys,
            Limits limits,
            DeliveryContext delivery,
            CircuitBreaker breaker,
            Runnable onReady) {
        this.delivery = delivery;
        this.limits = limits;
        this.source = source;
        this.keys = keys;
        this.name = start.name();
        this.breaker = breaker;
        this.onReady = onReady;
        this.scheduler = new LaneScheduler(delivery.vertx(), onReady);
        this.checkpoints = new Checkpoints(start, delivery, limits, onReady);
        this.lanes = new Lanes(limits, checkpoints, scheduler);
        start.blocked().forEach(lanes::restore);
    }

    /** The newest position that may be read. */
    abstract long end();

    /** Any thread. */
    abstract boolean wants(PushRecord push);

    /** From which position on a lane's pushes may not be sent yet. */
    abstract long closedFrom(String lane);

    /** So many pushes may be sent now. */
    abstract int allowance();

    /** So many pushes were sent. */
    abstract void sent(int count);

    /** Pushes were handled; they are done when the future has succeeded. */
    abstract Future<Void> handled(List<PushRecord> pushes);

    /** A push is a dead letter. */
    abstract void deadLettered();

    /** Whether its pushes have come before, and may be dead letters; consumers are to see those of the journal as replayed. */
    abstract boolean comesAgain();

    /** Whether consumers are to see its pushes as replayed. */
    abstract boolean isReplay();

    /** Whether a push may be withdrawn from the source, so that it is read again before each attempt. */
    abstract boolean mayBeWithdrawn();

    final Lanes lanes() {
        return lanes;
    }

    final LaneScheduler scheduler() {
        return scheduler;
    }

    final Checkpoints checkpoints() {
        return checkpoints;
    }

    final DeliveryContext delivery() {
        return delivery;
    }

    final boolean isStopped() {
        return stopped;
    }

    /** Nothing more is sent or read. */
    void stop() {
        stopped = true;
        scheduler.stop();
    }

    /** Takes just-committed pushes, as far as they are next and there is room; the rest is read later. */
    final void offer(List<PushRecord> pushes) {
        long seen = checkpoints.front() + 1 - pushes.get(0).seq();
        if (seen < 0 || !mayTake()) {
            read();
        } else if (seen < pushes.size()) {
            take(page(
                    pushes.subList((int) seen, pushes.size()),
                    pushes.get(pushes.size() - 1).seq()));
        }
    }

    /** Where everything fails, nothing is noted, and the position stays. */
    private boolean mayTake() {
        return !stopped && !reading && !breaker.failsEverything() && lanes.hasRoom();
    }

    private Page page(List<PushRecord> pushes, long upTo) {
        List<PushRecord> wanted = new ArrayList<>(pushes.size());
        List<String> lanesOfThem = new ArrayList<>(pushes.size());
        for (PushRecord push : pushes) {
            if (push.seq() <= upTo && wants(push)) {
                wanted.add(push);
                lanesOfThem.add(keys.lane(push));
            }
        }
        return new Page(wanted, lanesOfThem, upTo);
    }

    /** Whether anything of it waits in memory, or there was nothing to take. */
    private boolean take(Page page) {
        boolean waits = page.pushes().isEmpty();
        for (int i = 0; i < page.pushes().size(); i++) {
            waits |= lanes.take(page.lanes().get(i), page.pushes().get(i), !mayBeWithdrawn());
        }
        checkpoints.reached(page.upTo());
        onReady.run();
        return waits;
    }

    /** Reads on, as far as there is room. */
    final void read() {
        long last = end();
        long from = checkpoints.front() + 1;
        if (resting || from > last || !mayTake()) {
            return;
        }
        reading = true;
        long began = System.nanoTime();
        delivery.reader()
                .executeBlocking(() -> readPage(from, last), false)
                .map(page -> {
                    reading = false;
                    return take(page);
                })
                .onComplete(waits -> {
                    reading = false;
                    if (waits.succeeded()) {
                        readOn(System.nanoTime() - began, waits.result());
                    } else {
                        LOG.warn("{}: pushes can't be read from {} on", name, from, waits.cause());
                    }
                });
    }

    /** On a thread that may block. */
    private Page readPage(long from, long last) {
        List<PushRecord> pushes = source.read(from, limits.page(), Limits.PAGE_BYTES);
        long newest = pushes.isEmpty() ? last : pushes.get(pushes.size() - 1).seq();
        return page(pushes, Math.min(newest, last));
    }

    private void readOn(long nanos, boolean waits) {
        long share = comesAgain() || delivery.isReceiving() ? 1 + TimeUnit.NANOSECONDS.toMillis(RESTS * nanos) : 0;
        long millis = waits ? share : Math.max(share, NOTING_MILLIS);
        if (millis == 0) {
            read();
            return;
        }
        resting = true;
        delivery.vertx().setTimer(millis, timer -> {
            resting = false;
            read();
        });
    }

    /** Reads back what a lane needs for its turn, which has begun; at once where that is in memory. */
    final Future<Void> load(Lane lane) {
        List<Entry> missing = missing(lane);
        if (missing.isEmpty() && lane.hasEntries()) {
            return Future.succeededFuture();
        }
        ReadBack lookup = new ReadBack(name, source, delivery.store().blockedPushes(), limits.batch());
        if (!missing.isEmpty()) {
            List<Long> seqs = missing.stream().map(Entry::seq).toList();
            return delivery.reader()
                    .executeBlocking(() -> lookup.bodies(seqs), false)
                    .map(found -> {
                        found.forEach((seq, push) -> push.filter(this::wants)
                                .ifPresent(body -> lanes.loaded(missing.get(seqs.indexOf(seq)), body)));
                        for (int i = 0; i < found.size() && lane.first().push() == null; i++) {
                            gone(lane.first().seq());
                            lanes.done(lane);
                        }
                        return null;
                    });
        }
        long from = lane.nextReference();
        ReadBack.Unsaved unsaved = new ReadBack.Unsaved(checkpoints.unsaved(lane.key(), from), checkpoints.front());
        return delivery.reader()
                .executeBlocking(() -> lookup.references(lane.key(), from, unsaved), false)
                .map(found -> {
                    found.pushes().forEach((reference, push) -> {
                        if (push.filter(this::wants).isPresent()) {
                            lanes.loaded(lane, reference, push.get());
                        } else {
                            gone(reference.key().seq());
                            lanes.gone(lane, reference.key().seq());
                        }
                    });
                    lane.lookedUp(found.upTo());
                    return null;
                });
    }

    /** Those of a lane's first pushes that have to be read before they are sent. */
    private List<Entry> missing(Lane lane) {
        List<Entry> missing = new ArrayList<>();
        int most = lane.hasFailed() ? 1 : limits.batch();
        for (Entry entry : lane.entries()) {
            if (mayBeWithdrawn()) {
                entry.push(null);
            }
            if (entry.push() != null) {
                break;
            }
            if (missing.size() < most) {
                missing.add(entry);
            }
        }
        return missing;
    }

    private void gone(long seq) {
        if (!mayBeWithdrawn()) {
            LOG.warn("{}: push {} is no longer kept, or wanted, and was not delivered", name, seq);
        }
    }

    /** Something has come back: there may be room, and something to keep. */
    final void advanced() {
        checkpoints.saveIfDue();
        read();
    }

    /** Now and then. */
    void tick() {
        boolean stalled = lanes.isFull() && checkpoints.front() == frontAtTick;
        stalledTicks = stalled ? stalledTicks + 1 : 0;
        frontAtTick = checkpoints.front();
        lanes.wakeAll();
        checkpoints.save();
        read();
        onReady.run();
    }

    /** Whether memory is full of pushes that don't come on. */
    final boolean isStalled() {
        return stalledTicks >= STALLED_TICKS;
    }
}
