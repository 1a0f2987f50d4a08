package dev.holdfast.simulator;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends what is due to one target, over its connections. While no connection is free, only the times at which pushes
 * were due are kept, not the pushes, so that a receiver that hangs costs no memory. On one event loop.
 */
final class PushSender {
    private final PushSource source;
    private final WebhookClient target;
    private final Tally tally;
    private final BiConsumer<SimulatedPush, Answer> onAnswer;
    private final Runnable settled;
    private final long timeoutNanos;
    private final Deque<Due> waiting = new ArrayDeque<>();
    /** How many pushes are under way on connections of their own. */
    private final Map<Fault, Integer> apart = new EnumMap<>(Fault.class);

    private int free;
    private int underWay;

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

    /** Sends a push with this fault now, or as soon as there is a connection; a healthy one if too many are under way. */
    void due(long at, @Nullable Fault wanted) {
        tally.due(at);
        boolean tooMany =
                wanted != null && wanted.needsOwnConnection() && apart.getOrDefault(wanted, 0) >= wanted.mostApart();
        Due due = new Due(at, tooMany ? null : wanted);
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

    private void sendApart(Due due, Fault fault) {
        apart.merge(fault, 1, Integer::sum);
        send(due, () -> apart.merge(fault, -1, Integer::sum));
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
