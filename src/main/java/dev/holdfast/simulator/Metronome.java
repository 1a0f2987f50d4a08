package dev.holdfast.simulator;

import io.vertx.core.Context;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Calls an event loop when the next push is due. Its own thread, because an event loop's timers know only milliseconds,
 * which would count as latency.
 */
final class Metronome implements Runnable {
    private static final long LONGEST_NAP = 50_000_000;

    private final Context context;
    private final LongSupplier nextDue;
    private final Runnable beat;
    private final Semaphore done = new Semaphore(0);
    private volatile boolean stopped;

    /**
     * @param nextDue {@link System#nanoTime()} of the next beat; asked on the metronome's thread
     * @param beat called on the event loop, never again before the last call has returned
     */
    Metronome(Context context, LongSupplier nextDue, Runnable beat) {
        this.context = context;
        this.nextDue = nextDue;
        this.beat = beat;
    }

    void start() {
        Thread thread = new Thread(this, "holdfast-metronome");
        thread.setDaemon(true);
        thread.start();
    }

    /** No beat begins after this, when called on the event loop. */
    void stop() {
        stopped = true;
    }

    @Override
    public void run() {
        while (!stopped) {
            long wait = nextDue.getAsLong() - System.nanoTime();
            if (wait > 0) {
                LockSupport.parkNanos(this, Math.min(wait, LONGEST_NAP));
            } else {
                context.runOnContext(now -> beatOnce());
                done.acquireUninterruptibly();
            }
        }
    }

    private void beatOnce() {
        try {
            if (!stopped) {
                beat.run();
            }
        } finally {
            done.release();
        }
    }
}
