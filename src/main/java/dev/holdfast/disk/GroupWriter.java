package dev.holdfast.disk;

import dev.holdfast.retry.Backoff;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop of a thread that makes things durable. Everything that waits becomes one group with one sync. While the
 * target is away, it is opened again and again: after {@value #FIRST_DELAY_MILLIS} ms, then each time twice as long, up
 * to {@value #MAX_DELAY_MILLIS}. Requests that come in meanwhile fail.
 *
 * @param <R> the requests
 */
public final class GroupWriter<R extends WriteQueue.Request> implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(GroupWriter.class);
    private static final long FIRST_DELAY_MILLIS = 200;
    private static final long MAX_DELAY_MILLIS = 5_000;
    private static final Backoff REOPENING =
            Backoff.doubling(Duration.ofMillis(FIRST_DELAY_MILLIS), Duration.ofMillis(MAX_DELAY_MILLIS));

    /**
     * What is written to. Every method is called on the writer's thread.
     *
     * @param <R> the requests
     */
    public interface Target<R> {

        /** Whether it has to be opened before anything can be written. */
        boolean isAway();

        /** Tries to open it. */
        void reopen() throws Exception;

        /** An attempt to open it has failed. */
        void cannotOpen(Throwable cause, long nextTryMillis);

        /** Writes and syncs a group, and answers each request in it. */
        void write(List<R> group);

        /** Answers each request that it was not written: the target is away, or closed. */
        void refuse(List<R> group);

        /** The last call. */
        void close();
    }

    private final String name;
    private final WriteQueue<R> queue;
    private final Target<R> target;

    /** @param name what people call the target */
    public GroupWriter(String name, WriteQueue<R> queue, Target<R> target) {
        this.name = name;
        this.queue = queue;
        this.target = target;
    }

    /** Runs until the queue is closed and drained. */
    @Override
    public void run() {
        try {
            boolean goesOn = true;
            while (goesOn) {
                goesOn = serveWhateverHappens();
            }
        } catch (InterruptedException e) {
            LOG.error("the {}'s thread was interrupted, which ends the {}", name, name, e);
        } finally {
            if (!queue.isClosed()) {
                LOG.error(
                        "the {}'s thread ends although the {} was not closed: nothing is stored any more", name, name);
            }
            end();
        }
    }

    /** Serves one group, and survives any exception: without this thread nothing would ever be stored again. */
    private boolean serveWhateverHappens() throws InterruptedException {
        try {
            return serve();
        } catch (RuntimeException | Error e) {
            LOG.error("the {}'s thread met something unexpected, and goes on", name, e);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(FIRST_DELAY_MILLIS));
            return true;
        }
    }

    /** Serves one group; false if the queue is closed and drained. */
    private boolean serve() throws InterruptedException {
        if (target.isAway()) {
            reopen();
            return !target.isAway() || !queue.isClosed();
        }
        List<R> group = queue.take();
        if (group.isEmpty()) {
            return false;
        }
        target.write(group);
        return true;
    }

    private void reopen() throws InterruptedException {
        for (int tries = 1; target.isAway() && !queue.isClosed(); tries++) {
            refuseFor(REOPENING.millis(tries));
            if (!queue.isClosed()) {
                tryToOpen(REOPENING.millis(tries + 1));
            }
        }
    }

    private void tryToOpen(long nextTryMillis) {
        try {
            target.reopen();
        } catch (Exception | Error e) {
            target.cannotOpen(e, nextTryMillis);
        }
    }

    private void refuseFor(long millis) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        for (long left = millis; left > 0 && !queue.isClosed(); left = (deadline - System.nanoTime()) / 1_000_000) {
            target.refuse(queue.takeWithin(left));
        }
    }

    private void end() {
        queue.close();
        for (List<R> rest = queue.drain(); !rest.isEmpty(); rest = queue.drain()) {
            target.refuse(rest);
        }
        target.close();
    }

    /** Answers a request; a failure of the answer must not reach the writer. */
    public static void notify(Runnable answer) {
        try {
            answer.run();
        } catch (RuntimeException | Error e) {
            notTaken(e);
        }
    }

    /** Logs that an answer failed. Logs nothing if memory is out, since others still wait for their answers. */
    public static void notTaken(Throwable cause) {
        try {
            LOG.error("the code that waited for a write failed at its answer", cause);
        } catch (OutOfMemoryError untold) {
            // As above.
        }
    }
}
