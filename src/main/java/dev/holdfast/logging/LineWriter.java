package dev.holdfast.logging;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes lines in their order, on a daemon thread of its own, many of them at once. Whoever adds one never waits for whoever reads
 * them: while a full batch waits behind the one that is being written, lines are dropped, and counted in a line in their place.
 * Any thread.
 */
final class LineWriter {
    /** Of lines that wait, in bytes; as much again may be under way. */
    static final int ROOM = 1 << 20;

    private static final long MAX_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int BUFFER_BYTES = 64 * 1024;

    private final BufferedOutputStream out;
    private final Function<Long, byte[]> notice;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition urgent = lock.newCondition();
    private final Condition progress = lock.newCondition();
    private ArrayDeque<byte[]> waiting = new ArrayDeque<>();
    private int waitingBytes;
    private boolean isUrgent;
    private long dropped;
    /** Lines since the start; a dropped one is in neither. */
    private long added;

    private long done;
    private boolean closed;

    /** Lines that are written together, and how many were dropped after them. */
    private record Batch(ArrayDeque<byte[]> lines, long dropped) {}

    /** @param notice the line that says how many were dropped */
    LineWriter(OutputStream out, Function<Long, byte[]> notice) {
        this.out = new BufferedOutputStream(out, BUFFER_BYTES);
        this.notice = notice;
        Thread thread = new Thread(this::run, "log");
        thread.setDaemon(true);
        thread.start();
    }

    /** @param now it waits for no others */
    void add(byte[] line, boolean now) {
        lock.lock();
        try {
            // Once one was dropped, so are those after it until there is room for many: gaps are few.
            if (dropped > 0 || waitingBytes >= ROOM) {
                dropped++;
                return;
            }
            waiting.add(line);
            waitingBytes += line.length;
            added++;
            if (now || waitingBytes >= BUFFER_BYTES) {
                hurry();
            }
        } finally {
            lock.unlock();
        }
    }

    private void hurry() {
        if (!isUrgent) {
            isUrgent = true;
            urgent.signal();
        }
    }

    /** Waits until all lines before are written, but for no longer than this. */
    void flush(long millis) {
        lock.lock();
        try {
            long until = added;
            long left = TimeUnit.MILLISECONDS.toNanos(millis);
            hurry();
            while (done < until && left > 0) {
                left = progress.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    /** Ends the thread, after what waits. */
    void close() {
        lock.lock();
        try {
            closed = true;
            hurry();
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        try {
            for (Batch batch = next(); batch != null; batch = next()) {
                write(batch);
                written(batch.lines().size());
            }
        } catch (InterruptedException e) {
            // Nobody does that, but for ending it.
            Thread.currentThread().interrupt();
        }
    }

    /** What has come within a moment, which may be nothing; null: there will be nothing more. */
    private @Nullable Batch next() throws InterruptedException {
        lock.lock();
        try {
            long left = MAX_WAIT_NANOS;
            while (!isUrgent && left > 0) {
                left = urgent.awaitNanos(left);
            }
            isUrgent = false;
            Batch batch = new Batch(waiting, dropped);
            if (!waiting.isEmpty()) {
                waiting = new ArrayDeque<>();
                waitingBytes = 0;
                dropped = 0;
            }
            return closed && batch.lines().isEmpty() ? null : batch;
        } finally {
            lock.unlock();
        }
    }

    private void write(Batch batch) {
        try {
            for (byte[] line : batch.lines()) {
                out.write(line);
            }
            if (batch.dropped() > 0) {
                out.write(notice.apply(batch.dropped()));
            }
            out.flush();
        } catch (IOException e) {
            // Nobody reads them any more, and there is nowhere to say so.
        } catch (OutOfMemoryError e) {
            // The next batch may have some.
        }
    }

    private void written(int lines) {
        lock.lock();
        try {
            done += lines;
            progress.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
