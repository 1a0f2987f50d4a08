package dev.holdfast.simulator;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Plays the platform: sends pushes at their times, whatever the answers to earlier ones, never sends one again, and
 * counts what came back. Latency counts from the time at which a push was due, so a receiver that stalls cannot hide it.
 * Runs once, on one event loop; every method may be called from any thread.
 */
public final class Platform {
    /** Most pushes sent in a row before the event loop can handle answers. */
    private static final int BURST = 128;

    private final Context context;
    private final PushSource source;
    private final Pace pace;
    private final Faults faults;
    private final Tally tally = new Tally();
    private final List<PushSender> senders;
    private final Promise<Summary> finished = Promise.promise();
    private final Metronome metronome;
    private long start;
    private long issued;
    private boolean issuedAll;
    private volatile long nextDue;

    /**
     * @param source belongs to this platform alone from now on
     * @param onAnswer gets every answer, also a missing one, on the event loop; must not block
     */
    public Platform(
            Vertx vertx,
            PushSource source,
            Wire wire,
            Pace pace,
            Faults faults,
            BiConsumer<SimulatedPush, Answer> onAnswer) {
        this.context = vertx.getOrCreateContext();
        this.source = source;
        this.pace = pace;
        this.faults = faults;
        this.metronome = new Metronome(context, () -> nextDue, this::beat);
        this.senders = wire.targets().stream()
                .map(url -> new PushSender(vertx, source, wire, url, tally, onAnswer, this::finishWhenIdle))
                .toList();
    }

    /** Sends everything and awaits the answers; fails only when the simulator itself does, and sends nothing more then. */
    public Future<Summary> run() {
        context.runOnContext(now -> {
            start = System.nanoTime();
            nextDue = start;
            metronome.start();
        });
        return finished.future();
    }

    /** What was sent and answered until now. */
    public Summary soFar() {
        return tally.summary();
    }

    /** Sends nothing more; {@link #run()} completes when what is under way is answered or timed out. */
    public void stop() {
        context.runOnContext(now -> {
            senders.forEach(PushSender::abandonWaiting);
            endIssuing();
        });
    }

    private void beat() {
        try {
            issueDue();
        } catch (RuntimeException | OutOfMemoryError e) {
            metronome.stop();
            finished.tryFail(e);
        }
    }

    private void issueDue() {
        for (int i = 0; i < BURST && nextDue - System.nanoTime() <= 0; i++) {
            if (pace.endsBefore(issued)) {
                endIssuing();
                return;
            }
            PushSender sender = senders.get((int) (issued % senders.size()));
            sender.due(nextDue, source.draw(faults));
            nextDue = start + pace.dueAfter(++issued);
        }
        if (pace.endsBefore(issued)) {
            endIssuing();
        }
    }

    private void endIssuing() {
        metronome.stop();
        issuedAll = true;
        finishWhenIdle();
    }

    private void finishWhenIdle() {
        if (issuedAll && senders.stream().allMatch(PushSender::isIdle) && finished.tryComplete(tally.summary())) {
            senders.forEach(PushSender::close);
        }
    }
}
