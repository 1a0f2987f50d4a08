package dev.holdfast.logging;

import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;

/**
 * Writes lines in their order, on a daemon thread of its own, many of them at once. Whoever adds one never waits for whoever reads
 * them: while a full buffer waits behind the one that is being written, lines are dropped, and counted in a line in their place; so
 * are those of a buffer that could not be written, as on a full disk, when the next one can. Any thread. All the room it takes it
 * has from the beginning, and it waits on monitors, which take none of the heap: where a process has no memory left, its last lines
 * are to be written all the same.
 */
final class LineWriter {
    /** Bytes of lines that wait; as many again may be under way. */
    static final int ROOM = 512 << 10;

    /** Bytes of a line: one that is longer would leave no room for others. */
    static final int LONGEST = ROOM / 2;

    private static final int MAX_WAIT_MILLIS = 100;
    /** What is worth a system call before that. */
    private static final int BATCH_BYTES = 64 << 10;

    private final OutputStream out;
    private final LongFunction<byte[]> notice;
    private final Thread thread = new Thread(this::run, "log");
    private byte[] waiting = new byte[ROOM];
    private int waitingBytes;
    private int waitingLines;
    private boolean urgent;
    /** Lines, since the last one that found room. */
    private long dropped;

    /** The thread's own, but for the exchange with the buffer that waits. */
    private byte[] underWay = new byte[ROOM];

    private int underWayBytes;
    private int underWayLines;
    private long underWayDropped;
    /** Lines that could not be written, and that was not said yet. */
    private long refused;

    /** Buffers that were handed over to be written, and that have been. */
    private long handedOver;

    private long written;
    private boolean closed;

    /** @param notice the line that says how many were dropped */
    LineWriter(OutputStream out, LongFunction<byte[]> notice) {
        this.out = out;
        this.notice = notice;
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Takes a line, which is cut where it is longer than {@value #LONGEST} bytes.
     *
     * @param now it waits for no others
     */
    synchronized void add(byte[] line, boolean now) {
        int length = Math.min(line.length, LONGEST);
        // Once one was dropped, so are those after it until the buffer is another: gaps are few.
        if (dropped > 0 || length > ROOM - waitingBytes) {
            dropped++;
            return;
        }
        System.arraycopy(line, 0, waiting, waitingBytes, length);
        waitingBytes += length;
        waitingLines++;
        if (length < line.length) {
            waiting[waitingBytes - 1] = '\n';
        }
        if (now || waitingBytes >= BATCH_BYTES) {
            hurry();
        }
    }

    private void hurry() {
        if (!urgent) {
            urgent = true;
            notifyAll();
        }
    }

    /** Waits until all lines before are written, but for no longer than this; an interrupt doesn't shorten it. */
    synchronized void flush(long millis) {
        long until = handedOver + 1;
        hurry();
        boolean interrupted = false;
        long began = System.nanoTime();
        for (long left = millis; written < until && thread.isAlive() && left > 0; left = left(millis, began)) {
            try {
                wait(left);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static long left(long millis, long began) {
        return millis - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
    }

    /** Ends the thread, after what waits. */
    synchronized void close() {
        closed = true;
        hurry();
    }

    private void run() {
        try {
            while (next()) {
                write();
            }
        } catch (InterruptedException e) {
            // Nobody does that, but for ending it.
            Thread.currentThread().interrupt();
        }
    }

    /** Takes over what has come within a moment, which may be nothing; false: there will be nothing more. */
    private synchronized boolean next() throws InterruptedException {
        written = handedOver;
        notifyAll();
        long began = System.nanoTime();
        for (long left = MAX_WAIT_MILLIS; !urgent && left > 0; left = left(MAX_WAIT_MILLIS, began)) {
            wait(left);
        }
        urgent = false;
        byte[] free = underWay;
        underWay = waiting;
        underWayBytes = waitingBytes;
        underWayLines = waitingLines;
        underWayDropped = dropped;
        waiting = free;
        waitingBytes = 0;
        waitingLines = 0;
        dropped = 0;
        handedOver++;
        return !closed || underWayBytes > 0;
    }

    private void write() {
        if (underWayBytes == 0) {
            return;
        }
        try {
            if (refused > 0) {
                // What could not be written may have ended anywhere.
                out.write('\n');
                tell(refused);
                refused = 0;
            }
            for (int at = 0; at < underWayBytes; at += BATCH_BYTES) {
                out.write(underWay, at, Math.min(BATCH_BYTES, underWayBytes - at));
            }
            underWayLines = 0;
            if (underWayDropped > 0) {
                tell(underWayDropped);
            }
        } catch (IOException e) {
            // Part of them may be there after all: nobody knows how much.
            refused += underWayLines + underWayDropped;
        }
    }

    private void tell(long count) throws IOException {
        try {
            out.write(notice.apply(count));
        } catch (OutOfMemoryError | LinkageError e) {
            // The notice, or what makes it, found no memory.
        }
    }
}
