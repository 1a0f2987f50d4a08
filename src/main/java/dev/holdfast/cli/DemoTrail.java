package dev.holdfast.cli;

import dev.holdfast.push.PushRecord;
import dev.holdfast.push.PushWatcher;
import dev.holdfast.simulator.Answer;
import java.io.PrintWriter;

/** Writes each push's way through the gateway, a line each, with running counts. */
final class DemoTrail implements PushWatcher {
    private final PrintWriter out;
    private long accepted;
    private long published;
    private long handled;

    DemoTrail(PrintWriter out) {
        this.out = out;
    }

    /** The platform was answered, perhaps before the push is published. */
    synchronized void answered(Answer answer) {
        if (answer.status() == 200) {
            accepted++;
        }
    }

    @Override
    public synchronized void published(PushRecord push) {
        published++;
    }

    @Override
    public synchronized void handled(PushRecord push, String consumer) {
        handled++;
        out.printf(
                "%-22s accepted > journaled as %d > published > handled by %s, %d ms | %d of %d handled%n",
                push.envelope().event(),
                push.seq(),
                consumer,
                System.currentTimeMillis() - push.receivedAt(),
                handled,
                published);
        out.flush();
        notifyAll();
    }

    /** Waits until everything accepted is published and handled, but no longer than so many milliseconds. */
    synchronized void settle(long millis) {
        long deadline = System.currentTimeMillis() + millis;
        try {
            for (long left = millis;
                    handled < Math.max(accepted, published) && left > 0;
                    left = deadline - System.currentTimeMillis()) {
                wait(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The counts in words. */
    synchronized String summary() {
        return published + " pushes accepted, journaled and published, " + handled + " handled by their consumers";
    }
}
