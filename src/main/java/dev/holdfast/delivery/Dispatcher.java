package dev.holdfast.delivery;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Brings the pushes of a consumer's feeds to it. Lanes take turns: a turn reads back what the lane lacks, sends a batch, and
 * ends when what became of each push of it is settled. At most {@code concurrency} lanes have their turn at a time, none on
 * two feeds at once, and only half as many whose first push has failed before: its attempt may hang until it times out, and the
 * others would wait for that. On the delivery's event loop.
 */
final class Dispatcher {
    private final int concurrency;
    private final CircuitBreaker breaker;
    private final BatchSender sender;
    private final List<Feed> feeds = new ArrayList<>();
    /** Stopped, and nothing is under way. */
    private final Promise<Void> idle = Promise.promise();

    /** The keys of lanes that have their turn. */
    private final Set<String> underWay = new HashSet<>();

    /** How many of these have one whose first push has failed before. */
    private int retrying;

    private boolean stopped;
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
        completeIfIdle();
        return idle.future();
    }

    private void completeIfIdle() {
        if (stopped && underWay.isEmpty()) {
            idle.tryComplete();
        }
    }

    /** The last checkpoint of each feed. */
    Future<Void> finish() {
        return Future.join(feeds.stream().map(Feed::finish).toList()).mapEmpty();
    }

    /** Now and then: lanes that fill the memory and don't come on make room where others could. */
    void tick() {
        // One that was stopped alone, whose last checkpoint is its replay's business.
        feeds.removeIf(Feed::isStopped);
        for (Feed feed : feeds) {
            if (feed.isStalled() && underWay.size() < concurrency && !breaker.failsEverything()) {
                feed.lanes().overflow();
                feed.advanced();
            }
        }
    }

    /** Sends what may be sent. */
    void run() {
        boolean sent = true;
        while (sent && !stopped && underWay.size() < concurrency) {
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
        boolean onlyFresh = open || retrying >= Math.max(1, concurrency / 2);
        Lane lane = open && breaker.failsEverything() ? nextThatWorks(feed) : next(feed, onlyFresh);
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
        if (underWay.contains(lane.key()) || lane.firstUndone() >= feed.closedFrom(lane.key())) {
            feed.scheduler().hold(lane);
            return false;
        }
        return true;
    }

    private void beginTurn(Feed feed, Lane lane) {
        int retries = lane.hasFailed() ? 1 : 0;
        retrying += retries;
        feed.lanes().begun(lane);
        underWay.add(lane.key());
        sender.send(feed, lane).onSuccess(delay -> {
            retrying -= retries;
            ended(feed, lane, delay);
        });
    }

    /** A lane's turn is over; the same lane may have one on another feed. */
    private void ended(Feed feed, Lane lane, long delay) {
        underWay.remove(lane.key());
        feed.lanes().ended(lane, delay);
        for (Feed other : feeds) {
            other.lanes().wake(other.lanes().get(lane.key()));
        }
        run();
        feed.advanced();
        completeIfIdle();
    }
}
