package dev.holdfast.delivery;

import dev.holdfast.delivery.Lane.State;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Brings the pushes of a consumer's feeds to it. Lanes take turns: a turn reads back what the lane lacks, sends a batch, and
 * ends when what became of each push of it is settled. At most {@code concurrency} lanes have their turn at a time, none on
 * two feeds at once. On the delivery's event loop.
 */
final class Dispatcher {
    private final int concurrency;
    private final CircuitBreaker breaker;
    private final BatchSender sender;
    private final List<Feed> feeds = new ArrayList<>();
    /** Stopped, and nothing is under way. */
    private final Promise<Void> idle = Promise.promise();

    private boolean stopped;
    /** Lanes that have their turn. */
    private int underWay;

    private int turn;

    Dispatcher(int concurrency, CircuitBreaker breaker, BatchSender sender) {
        this.concurrency = concurrency;
        this.breaker = breaker;
        this.sender = sender;
    }

    /** From now on brings the pushes of this feed too. */
    void add(Feed feed) {
        feeds.add(feed);
    }

    /** Sends nothing more; succeeds when nothing is under way. */
    Future<Void> stop() {
        stopped = true;
        feeds.forEach(Feed::stop);
        if (underWay == 0) {
            idle.tryComplete();
        }
        return idle.future();
    }

    /** The last checkpoint of each feed. */
    Future<Void> finish() {
        return Future.join(feeds.stream().map(Feed::finish).toList()).mapEmpty();
    }

    /**
     * Now and then: lanes that fill the memory and don't come on make room where others could. A feed that was stopped alone is
     * forgotten as soon as nothing of it is under way.
     */
    void tick() {
        feeds.removeIf(feed -> feed.isStopped() && !feed.lanes().isAtWork());
        for (Feed feed : feeds) {
            if (feed.isStalled() && underWay < concurrency && !breaker.failsEverything()) {
                feed.lanes().overflow();
                feed.advanced();
            }
        }
    }

    /** Sends what may be sent. */
    void run() {
        boolean sent = true;
        while (sent && !stopped && underWay < concurrency) {
            sent = false;
            for (int tried = 0; !sent && tried < feeds.size(); tried++) {
                turn = (turn + 1) % feeds.size();
                sent = begin(feeds.get(turn));
            }
        }
    }

    /** Lets a lane of a feed have its turn; false when none may. */
    private boolean begin(Feed feed) {
        if (feed.scheduler().isEmpty() || feed.allowance() == 0) {
            return false;
        }
        boolean open = breaker.isOpen();
        Lane lane = open && breaker.failsEverything() ? nextThatWorks(feed) : next(feed, open);
        if (lane == null) {
            return false;
        }
        breaker.attemptBegins();
        beginTurn(feed, lane);
        return true;
    }

    private @Nullable Lane next(Feed feed, boolean onlyFresh) {
        while (onlyFresh ? feed.scheduler().hasFresh() : !feed.scheduler().isEmpty()) {
            Lane lane = feed.scheduler().next(onlyFresh);
            if (mayGo(feed, lane)) {
                return lane;
            }
        }
        return null;
    }

    private @Nullable Lane nextThatWorks(Feed feed) {
        for (String key : breaker.working()) {
            Lane lane = feed.lanes().get(key);
            if (feed.scheduler().takeFresh(lane) && lane != null && mayGo(feed, lane)) {
                return lane;
            }
        }
        return null;
    }

    private boolean mayGo(Feed feed, Lane lane) {
        if (isAtWork(lane.key()) || lane.firstUndone() >= feed.closedFrom(lane.key())) {
            feed.scheduler().hold(lane);
            return false;
        }
        return true;
    }

    /** Whether a lane has its turn, on whichever feed; the one that is asked for has not. */
    private boolean isAtWork(String key) {
        for (Feed feed : feeds) {
            Lane lane = feed.lanes().get(key);
            if (lane != null && lane.state() == State.IN_FLIGHT) {
                return true;
            }
        }
        return false;
    }

    private void beginTurn(Feed feed, Lane lane) {
        feed.lanes().begun(lane);
        underWay++;
        sender.send(feed, lane).onSuccess(delay -> ended(feed, lane, delay));
    }

    /** A lane's turn is over; the same lane may have one on another feed. */
    private void ended(Feed feed, Lane lane, long delay) {
        underWay--;
        feed.lanes().ended(lane, delay);
        for (Feed other : feeds) {
            other.lanes().wake(other.lanes().get(lane.key()));
        }
        run();
        feed.advanced();
        if (stopped && underWay == 0) {
            idle.tryComplete();
        }
    }
}
