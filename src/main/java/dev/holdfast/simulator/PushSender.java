package dev.holdfast.simulator;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends what is due to one target, over its connections. While no connection is free, only the times at which pushes
 * were due are kept, not the pushes, so that a receiver that hangs costs no memory. On one event loop.
 */
final class PushSender {
    /** Most pushes on connections of their own; beyond that, such a push is sent healthy instead. */
    private static final int MOST_SLOW = 256;

    private static final int MOST_OVERSIZE = 8;

    private final PushSource source;
    private final WebhookClient target;
    private final Tally tally;
    private final BiConsumer<SimulatedPush, Answer> onAnswer;
    private final Runnable settled;
    private final long timeoutNanos;
    private final Deque<Due> waiting = new ArrayDeque<>();
    private int free;
    private int underWay;
    private int slow;
    private int oversize;

    private record Due(long at, @Nullable Fault fault) {}

    PushSender(
            Vertx vertx,
            PushSource source,
            Wire wire,
            URI url,
            Tally tally,
            BiConsumer<SimulatedPush, Answer> onAnswer,
            Runnable settled) {
        this.source = source;
        this.target = new WebhookClient(vertx, wire, url);
        this.tally = tally;
        this.onAnswer = onAnswer;
        this.settled = settled;
        this.timeoutNanos = wire.timeout().toNanos();
        this.free = wire.connections();
    }

    /** Sends a push with this fault now, or as soon as there is a connection. */
    void due(long at, @Nullable Fault wanted) {
        tally.due(at);
        Due due = new Due(at, isAffordable(wanted) ? wanted : null);
        if (due.fault() != null && due.fault().needsOwnConnection()) {
            sendApart(due, due.fault());
        } else if (free > 0) {
            sendShared(due);
        } else {
            waiting.add(due);
        }
    }

    boolean isIdle() {
        return underWay == 0 && waiting.isEmpty();
    }

    /** Forgets what has not been sent. */
    void abandonWaiting() {
        waiting.clear();
    }

    Future<?> close() {
        return target.close();
    }

    private boolean isAffordable(@Nullable Fault fault) {
        boolean tooMany = (fault == Fault.SLOW_BODY && slow >= MOST_SLOW)
                || (fault == Fault.OVERSIZE && oversize >= MOST_OVERSIZE);
        return !tooMany;
    }

    private void sendApart(Due due, Fault fault) {
        occupy(fault, 1);
        send(due, () -> occupy(fault, -1));
    }

    private void occupy(Fault fault, int change) {
        if (fault == Fault.SLOW_BODY) {
            slow += change;
        } else {
            oversize += change;
        }
    }

    private void sendShared(Due due) {
        free--;
        send(due, this::sendNextWaiting);
    }

    private void sendNextWaiting() {
        free++;
        Due next = waiting.poll();
        while (next != null && System.nanoTime() - next.at() > timeoutNanos) {
            tally.unsent(next.fault());
            next = waiting.poll();
        }
        if (next != null) {
            sendShared(next);
        }
    }

    private void send(Due due, Runnable release) {
        SimulatedPush push = source.next(due.fault());
        underWay++;
        tally.sent(push.fault(), System.nanoTime());
        target.post(push).onComplete(result -> {
            long latency = System.nanoTime() - due.at();
            Answer answer = result.succeeded()
                    ? new Answer(result.result(), null, latency)
                    : new Answer(0, Silence.of(result.cause()), latency);
            tally.answered(push.fault(), answer);
            onAnswer.accept(push, answer);
            underWay--;
            release.run();
            settled.run();
        });
    }
}
