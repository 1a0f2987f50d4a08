package dev.holdfast.delivery;

import dev.holdfast.push.PushRecord;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How pushes come to one consumer: the ordinary way, or a replay. Reads them from where they are kept and spreads them over
 * lanes of its own, as far as there is room; the consumer's {@link Courier} takes turns between its ways. On the delivery's
 * event loop.
 */
abstract class Way {
    /** Where pushes are read, in the order of their positions; an empty answer means that there are no more. Blocks. */
    interface Source {
        List<PushRecord> read(long from, int maxPushes, long maxBytes);
    }

    private static final Logger LOG = LoggerFactory.getLogger(Way.class);
    /** What comes again is read so that pushes that come in are hardly the slower for it: mostly there is a rest. */
    private static final int RESTS = 3;

    private final String name;
    private final Parts parts;
    private final Source source;
    private final Courier courier;
    private final Lanes lanes;
    private final Turns turns = new Turns();
    private final CatchUp catchUp;
    private long frontAtTick;
    private boolean reading;
    private boolean resting;

    /** @param name of the consumer */
    Way(String name, Parts parts, Source source, Courier courier, Lanes lanes) {
        this.name = name;
        this.parts = parts;
        this.source = source;
        this.courier = courier;
        this.lanes = lanes;
        this.catchUp = new CatchUp(name, parts, source, lanes, this::wants, courier::isSlowed, this::resume);
    }

    /** The newest position that may be read. */
    abstract long end();

    abstract boolean wants(PushRecord push);

    /** Whether nothing more is to be sent. */
    abstract boolean isOver();

    /** So many pushes may be sent now. */
    abstract int allowance();

    /** So many pushes were sent. */
    abstract void sent(int count);

    /** From which position on a lane's pushes may not be sent yet. */
    abstract long closedFrom(String lane);

    /** Whether a push that is in its lane is not to be sent any more. */
    abstract boolean isWithdrawn(PushRecord push);

    abstract void handled(PushRecord push);

    /** A push is a dead letter. */
    abstract void buried(PushRecord push);

    /** A push of which there was no dead letter could not be made one, and may be one all the same. */
    abstract void unsaved(PushRecord push);

    /** Whether its pushes have come before, and may be dead letters. */
    abstract boolean comesAgain();

    /** Whether consumers are to see its pushes as replayed. */
    abstract boolean isReplay();

    final Lanes lanes() {
        return lanes;
    }

    final Turns turns() {
        return turns;
    }

    final boolean isReading() {
        return reading;
    }

    final boolean hasRoom() {
        if (!lanes.hasRoom()) {
            lanes.relieve(false);
        }
        return lanes.hasRoom();
    }

    /** Nothing of a lane is under way any more. */
    final void release(Lane lane) {
        lane.state(Lane.State.IDLE);
        if (lane.isDone()) {
            lanes.forget(lane);
        } else {
            turns.add(lane);
        }
    }

    /** Takes in the next pushes. */
    final void take(List<PushRecord> pushes) {
        for (PushRecord push : pushes) {
            if (wants(push)) {
                turns.add(lanes.take(push));
            } else {
                lanes.skipTo(push.seq());
            }
        }
        courier.run();
    }

    /** Reads on, as far as there is room. */
    final void read() {
        long last = end();
        long from = lanes.front() + 1;
        if (isOver() || reading || resting || from > last || !hasRoom()) {
            return;
        }
        reading = true;
        long began = System.nanoTime();
        parts.reader()
                .executeBlocking(() -> source.read(from, parts.bounds().read(), Bounds.READ_BYTES), false)
                .onComplete(
                        pushes -> {
                            reading = false;
                            take(upTo(end(), pushes));
                            if (pushes.isEmpty()
                                    || pushes.get(pushes.size() - 1).seq() > last) {
                                lanes.skipTo(last);
                            }
                            readOn(System.nanoTime() - began);
                        },
                        failure -> {
                            reading = false;
                            LOG.warn("{}: pushes can't be read from {}: {}", name, from, failure.getMessage());
                        });
    }

    /** @param nanos that the last reading took */
    private void readOn(long nanos) {
        if (!comesAgain()) {
            read();
            return;
        }
        resting = true;
        parts.vertx().setTimer(Math.max(1, TimeUnit.NANOSECONDS.toMillis(RESTS * nanos)), timer -> {
            resting = false;
            read();
        });
    }

    private static List<PushRecord> upTo(long end, List<PushRecord> pushes) {
        int count = pushes.size();
        while (count > 0 && pushes.get(count - 1).seq() > end) {
            count--;
        }
        return pushes.subList(0, count);
    }

    /** Lets everything go on that can. */
    final void resume() {
        for (Lane lane : lanes.all()) {
            if (lane.isDone()) {
                lanes.forget(lane);
            } else if (!isClosed(lane)) {
                turns.addAgain(lane);
            }
        }
        courier.run();
        advanced();
    }

    /** Has nothing in memory that could show it may go on, and would be read for nothing, over and over. */
    private boolean isClosed(Lane lane) {
        return lane.state() == Lane.State.PARKED && !lane.hasPushes() && lane.firstUndone() >= closedFrom(lane.key());
    }

    /** Something has come back: there may be room. */
    void advanced() {
        read();
        if (!isOver()) {
            catchUp.run();
        }
    }

    /** Now and then. */
    void tick() {
        if (!isOver() && !lanes.hasRoom() && lanes.front() == frontAtTick) {
            // Whatever holds the memory doesn't come on: others shall not wait for it.
            lanes.relieve(true);
        }
        frontAtTick = lanes.front();
        resume();
    }
}
