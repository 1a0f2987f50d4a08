package dev.holdfast.delivery;

import dev.holdfast.journal.OrderedPushes;
import dev.holdfast.push.PushRecord;
import dev.holdfast.retry.Outage;
import dev.holdfast.store.BlockedPush;
import dev.holdfast.store.BlockedPush.RetryState;
import dev.holdfast.store.BlockedPushes;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
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
    /** While pushes come in, each read is followed by a rest so many times as long, which leaves the machine to the receiver. */
    private static final int RESTS = 3;
    /** A rest after a page that was only noted: without it a whole backlog is noted while its only lane fails for a moment. */
    private static final long NOTING_MILLIS = 10;
    /** So many ticks without anything coming on make lanes overflow. */
    private static final int STALLED_TICKS = 5;

    /** Where the pushes of a feed come from. */
    enum Kind {
        /** The journal, as they come in. */
        LIVE,
        /** The journal, again: consumers are to see them as replayed. */
        REPLAY,
        /** The dead letters. One may be discarded meanwhile, so that each is read again before each attempt. */
        RETRY
    }

    private final Kind kind;
    private final FeedContext shared;
    private final Limits limits;
    private final SourcePages pages;
    private final String name;
    private final LaneScheduler scheduler;
    private final Checkpoints checkpoints;
    private final Lanes lanes;
    private final RateLimiter rate;
    private final Outage outage = new Outage();
    private final Outage crowded = new Outage();
    private boolean reading;
    private boolean backingOff;
    private boolean stopped;
    /** The circuit breaker's wait in which pushes were taken last. */
    private int tookInWait;

    private long frontAtTick;
    private int stalledTicks;

    /**
     * @param rate pushes a second that are sent, where that is limited
     * @param burst so many are saved up
     */
    Feed(Kind kind, Resumption start, OrderedPushes source, Limits limits, int rate, int burst, FeedContext shared) {
        DeliveryContext delivery = shared.delivery();
        this.kind = kind;
        this.shared = shared;
        this.limits = limits;
        this.pages = new SourcePages(source, this::wants, shared.keys(), limits);
        this.name = start.name();
        this.rate = new RateLimiter(rate, burst, delivery.vertx(), shared.onReady());
        this.scheduler = new LaneScheduler(delivery.vertx(), shared.onReady());
        this.checkpoints = new Checkpoints(start, delivery, limits, shared.onReady());
        this.lanes = new Lanes(limits, checkpoints, scheduler, kind == Kind.RETRY);
        start.blocked().forEach(lanes::restore);
    }

    /** The newest position that may be read. */
    abstract long end();

    /** Any thread. */
    abstract boolean wants(PushRecord push);

    /** From which position on a lane's pushes may not be sent yet. */
    abstract long closedFrom(String lane);

    /** So many pushes may be sent now: none while as many are handled as may come again after a crash. */
    final int allowance() {
        if (stopped || checkpoints.isLate()) {
            return 0;
        }
        return isLimited() ? rate.left() : Integer.MAX_VALUE;
    }

    /** Whether the rate holds now. */
    abstract boolean isLimited();

    /** So many pushes were sent. */
    final void sent(int count) {
        rate.spend(count);
    }

    /** Pushes were handled; they are done when the future has succeeded. */
    Future<Void> handled(List<PushRecord> pushes) {
        return Future.succeededFuture();
    }

    /** A push is a dead letter. */
    void deadLettered() {}

    final RateLimiter rate() {
        return rate;
    }

    final Kind kind() {
        return kind;
    }

    final Limits limits() {
        return limits;
    }

    final Lanes lanes() {
        return lanes;
    }

    final LaneScheduler scheduler() {
        return scheduler;
    }

    final Checkpoints checkpoints() {
        return checkpoints;
    }

    final FeedContext shared() {
        return shared;
    }

    final boolean isStopped() {
        return stopped;
    }

    /** Nothing more is sent or read. */
    void stop() {
        stopped = true;
        scheduler.stop();
    }

    /** The same, for good: succeeds when its last checkpoint is made. */
    final Future<Void> finish() {
        stop();
        return checkpoints.finish();
    }

    /** Takes just-committed pushes, as far as they are next and there is room; the rest is read later. */
    final void offer(List<PushRecord> pushes) {
        long seen = checkpoints.front() + 1 - pushes.get(0).seq();
        if (seen < 0 || !mayTake() || !lanes.hasRoom()) {
            read();
        } else if (seen < pushes.size()) {
            take(pages.of(
                    pushes.subList((int) seen, pushes.size()),
                    pushes.get(pushes.size() - 1).seq()));
        }
    }

    /**
     * While the consumer fails everything nothing is taken, so that its position stays; but where all that was taken has failed, or
     * where lanes are known to work, a page is in each wait of the circuit breaker: it needs pushes that have not failed, and tries
     * those of such lanes first, to find out that the outage is over.
     */
    private boolean mayTake() {
        CircuitBreaker breaker = shared.breaker();
        boolean finds = !scheduler.hasFresh() || !breaker.working().isEmpty();
        boolean mayTry = finds && tookInWait != breaker.waits();
        return !stopped && !reading && (!breaker.failsEverything() || mayTry);
    }

    /** Whether anything of it waits in memory, or there was nothing to take. */
    private boolean take(SourcePages.Page page) {
        boolean waits = page.entries().isEmpty();
        if (!waits) {
            tookInWait = shared.breaker().waits();
        }
        for (LaneEntry entry : page.entries()) {
            waits |= lanes.take(entry);
        }
        checkpoints.reached(page.upTo());
        shared.onReady().run();
        return waits;
    }

    /** Reads on, as far as there is room. */
    final void read() {
        long last = end();
        long from = checkpoints.front() + 1;
        if (backingOff || from > last || !mayTake() || waitsForRate() || !lanes.hasRoomToRead()) {
            return;
        }
        reading = true;
        long began = System.nanoTime();
        shared.delivery().reading(() -> pages.next(from, last)).map(this::take).onComplete(waits -> {
            reading = false;
            if (waits.succeeded()) {
                if (outage.over()) {
                    LOG.atInfo().addKeyValue("consumer", name).log("{}: pushes can be read again", name);
                }
                readOn(System.nanoTime() - began, waits.result());
            } else if (outage.failed()) {
                LOG.atWarn()
                        .addKeyValue("consumer", name)
                        .log(
                                "{}: pushes can't be read from {} on: {}",
                                name,
                                from,
                                waits.cause().toString());
            }
        });
    }

    /**
     * Whether nothing but the rate holds up the lanes that are ready: what is read on would only be noted behind them. The dispatcher
     * has made those {@code HELD} by now that wait for something else, but for those that failed and wait until others have.
     */
    private boolean waitsForRate() {
        boolean ready = scheduler.hasFresh() || (rate.isAwaited() && !scheduler.isEmpty());
        return isLimited() && shared.breaker().isClosed() && ready;
    }

    private void readOn(long nanos, boolean waits) {
        long share = kind != Kind.LIVE || shared.delivery().receiving().getAsBoolean()
                ? 1 + TimeUnit.NANOSECONDS.toMillis(RESTS * nanos)
                : 0;
        long millis = waits ? share : Math.max(share, NOTING_MILLIS);
        if (millis == 0) {
            read();
            return;
        }
        backingOff = true;
        shared.delivery().vertx().setTimer(millis, timer -> {
            backingOff = false;
            read();
        });
    }

    /**
     * Brings the next pushes of a lane into memory by its references, if it has none there. Its turn has begun.
     *
     * @param most so many of them; only one where the first has failed
     */
    final Future<Void> load(Lane lane, int most) {
        if (lane.hasEntries()) {
            return Future.succeededFuture();
        }
        long from = lane.nextReference();
        // What comes beyond it may not have been taken in yet.
        long front = checkpoints.front();
        RetryState retry = lane.retry();
        if (retry != null) {
            BlockedPush failed = new BlockedPush(new BlockedPush.Key(lane.key(), from), retry);
            return load(lane, () -> pages.references(List.of(failed), List.of(), front, 1));
        }
        Collection<BlockedPush> unsaved = checkpoints.unsaved(lane.key(), from);
        BlockedPushes saved = shared.delivery().store().blockedPushes();
        return load(lane, () -> pages.references(saved.ofLane(name, lane.key(), from, most), unsaved, front, most));
    }

    private Future<Void> load(Lane lane, Callable<SourcePages.Page> references) {
        return shared.delivery().reading(references).map(page -> {
            lanes.loaded(lane, page);
            if (kind != Kind.RETRY) {
                page.gone().forEach(this::warnOfGone);
            }
            return null;
        });
    }

    private void warnOfGone(BlockedPush.Key gone) {
        LOG.atWarn()
                .addKeyValue("consumer", name)
                .addKeyValue("seq", gone.seq())
                .log(
                        "{}: push {} is passed over: it is no longer kept, or wanted, or is a dead letter",
                        name,
                        gone.seq());
    }

    /** Something has come back: there may be room, and something to keep. */
    final void advanced() {
        checkpoints.saveIfDue();
        read();
    }

    /** Now and then. */
    void tick() {
        boolean stalled = !rate.isAwaited()
                && lanes.isReadFull()
                && checkpoints.front() == frontAtTick
                && checkpoints.front() < end();
        stalledTicks = stalled ? stalledTicks + 1 : 0;
        frontAtTick = checkpoints.front();
        checkpoints.save();
        read();
        scheduler.wakeHeld();
        shared.onReady().run();
        tellOfFailedLanes();
    }

    private void tellOfFailedLanes() {
        if (!lanes.areTooManyFailed()) {
            if (crowded.over()) {
                LOG.atInfo().addKeyValue("consumer", name).log("{}: gets pushes of other lanes again", name);
            }
        } else if (crowded.failed()) {
            LOG.atWarn()
                    .addKeyValue("consumer", name)
                    .log(
                            "{}: {} lanes wait for a retry: it gets no pushes of other lanes until some of these go on",
                            name,
                            scheduler.backingOff());
        }
    }

    /** Whether memory is full of pushes that don't come on. */
    final boolean isStalled() {
        return stalledTicks >= STALLED_TICKS;
    }
}
