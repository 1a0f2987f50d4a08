package dev.holdfast.delivery;

import dev.holdfast.push.PermanentFailure;
import dev.holdfast.push.Push;
import dev.holdfast.store.DeadLetterFilter;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;

/** A planned consumer at work: does with each push what was planned, and writes it down. */
final class Performance {
    private final PlannedConsumer consumer;
    private final List<PlannedPush> plan;
    private final List<Stint> stints = new CopyOnWriteArrayList<>();
    private final Set<Long> recovered = ConcurrentHashMap.newKeySet();
    private final List<DeadLetterFilter> retries = new CopyOnWriteArrayList<>();
    private final Queue<String> complaints = new ConcurrentLinkedQueue<>();
    private volatile boolean released;
    private volatile int replay;

    Performance(PlannedConsumer consumer, List<PlannedPush> plan) {
        this.consumer = consumer;
        this.plan = plan;
    }

    PlannedConsumer consumer() {
        return consumer;
    }

    List<Stint> stints() {
        return stints;
    }

    Queue<String> complaints() {
        return complaints;
    }

    void begin() {
        stints.add(new Stint());
    }

    Stint current() {
        return stints.get(stints.size() - 1);
    }

    /** What is replayed from now on. */
    void replay(int number) {
        replay = number;
    }

    /** Dead letters of it are tried again. */
    void retry(DeadLetterFilter filter) {
        retries.add(filter);
    }

    /** Whether more than one retry may have been about a push, which then were under way at the same time, maybe. */
    boolean isRetriedMoreThanOnce(long seq) {
        return retries.stream()
                        .filter(filter -> filter.from() <= seq && seq <= filter.to())
                        .count()
                > 1;
    }

    void mend(long seq) {
        recovered.add(seq);
    }

    boolean isRecovered(long seq) {
        return recovered.contains(seq);
    }

    /** How often a push was tried, ever. */
    int attempts(long seq) {
        return (int) stints.stream()
                .flatMap(stint -> stint.attempts().stream())
                .filter(attempt -> attempt.seq() == seq)
                .count();
    }

    /** What sticks can be handled from now on. */
    void release() {
        released = true;
    }

    /** @param dead whether the process is: then nothing happens any more */
    Future<?> handle(Push push, Vertx vertx, BooleanSupplier dead) {
        long called = System.nanoTime();
        if (dead.getAsBoolean()) {
            return Promise.promise().future();
        }
        if (push.seq() > plan.size()) {
            complaints.add("invented: " + push.seq());
            return Future.succeededFuture();
        }
        PlannedPush planned = plan.get((int) push.seq() - 1);
        if (!Arrays.equals(push.body().getBytes(), planned.body(push.seq())) || !consumer.wants(planned)) {
            complaints.add("not what was sent, or not wanted: " + push.seq());
        }
        Stint stint = current();
        boolean fails = fails(push, planned);
        if (!fails && planned.fate() == PlannedPush.Fate.SLOW && push.attempt() == 1) {
            return slowly(push, called, vertx, dead, stint);
        }
        stint.add(attempt(push, called, !fails));
        return fails ? fail(planned.fate()) : Future.succeededFuture();
    }

    private boolean fails(Push push, PlannedPush planned) {
        if (recovered.contains(push.seq())) {
            return false;
        }
        return consumer.sticksAt(planned)
                ? !released
                : planned.fate() == PlannedPush.Fate.PERMANENT
                        || (planned.fate().passes() && push.attempt() <= planned.failures());
    }

    private static Future<?> fail(PlannedPush.Fate fate) {
        return switch (fate) {
            case THROWS -> throw new IllegalStateException("planned");
            case HANGS -> Promise.promise().future();
            case PERMANENT -> Future.failedFuture(new PermanentFailure("planned"));
            default -> Future.failedFuture("planned");
        };
    }

    private Future<?> slowly(Push push, long called, Vertx vertx, BooleanSupplier dead, Stint stint) {
        Promise<Void> answer = Promise.promise();
        vertx.setTimer(1 + push.seq() % 3, timer -> {
            if (dead.getAsBoolean()) {
                return;
            }
            stint.add(attempt(push, called, true));
            answer.complete();
        });
        return answer.future();
    }

    private Attempt attempt(Push push, long called, boolean done) {
        return new Attempt(
                push.seq(), push.attempt(), push.replay() ? replay : 0, done, false, called, System.nanoTime());
    }
}
