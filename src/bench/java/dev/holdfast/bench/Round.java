package dev.holdfast.bench;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One load on one server, measured.
 *
 * @param load what the client saw
 * @param cpuMicros the server's processor time per acknowledged push, until its backlog was drained
 * @param residentMiB the larger of the server's resident memory at the end of the load and after the drain
 * @param backlog what the consumers hadn't handled at the end of the load; null for a server without consumers
 */
record Round(
        Wrk.Load load,
        double cpuMicros,
        long residentMiB,
        @Nullable Backlog backlog) {
    private static final Duration DRAIN = Duration.ofMinutes(2);
    /** For the last answers on their way to a client that has gone. */
    private static final long SETTLE_MILLIS = 200;

    /**
     * @param pushes both consumers' together
     * @param drained from the end of the load until both had handled everything
     */
    record Backlog(long pushes, Duration drained) {}

    /**
     * Wakes {@code contender}, loads it with bodies of so many bytes, waits until it is idle, and puts it to sleep again. Each
     * push is for one consumer of a gateway: one that was answered {@code 200} and that none has handled ends the run.
     */
    static Round measure(Contender contender, Wrk wrk, int seconds, int bodyBytes) {
        ServerProcess process = contender.process();
        process.resume();
        contender.awaitReady();
        long before = process.cpuMicros();
        long delivered = delivered(contender);
        Wrk.Load load = wrk.run(contender, seconds, bodyBytes);
        Backlog backlog = drain(contender);
        mustBeDelivered(contender, delivered(contender) - delivered, load.acknowledged());
        long resident = process.residentMiB();
        Poll.pause(SETTLE_MILLIS);
        double cpu = (process.cpuMicros() - before) / (double) Math.max(1, load.acknowledged());
        resident = Math.max(resident, process.residentMiB());
        process.pause();
        return new Round(load, cpu, resident, backlog);
    }

    private static @Nullable Backlog drain(Contender contender) {
        GatewayMetrics metrics = contender.metrics();
        if (metrics == null) {
            return null;
        }
        long start = System.nanoTime();
        long pushes = metrics.backlog();
        if (pushes > 0) {
            Poll.until(DRAIN, "the backlog of " + contender.title() + " to be drained", () -> metrics.backlog() == 0);
        }
        return new Backlog(pushes, Duration.ofNanos(System.nanoTime() - start));
    }

    private static long delivered(Contender contender) {
        GatewayMetrics metrics = contender.metrics();
        return metrics == null ? 0 : metrics.delivered();
    }

    private static void mustBeDelivered(Contender contender, long delivered, long acknowledged) {
        if (contender.metrics() != null && delivered < acknowledged) {
            throw new IllegalStateException(contender.title() + ": found " + delivered + " pushes handled of "
                    + acknowledged + " that were answered 200, expected all");
        }
    }
}
