package dev.holdfast.logging;

import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;

/**
 * Writes lines in their order, many at once, on a daemon thread of its own. Whoever adds a line never waits for the
 * reader: while one buffer is being written and a second one is full, lines are dropped, and a line in their place says
 * how many. The same goes for the lines of a buffer that could not be written, as on a full disk, once the next one
 * can. Any thread. It allocates all its room at the beginning, and waits on monitors, which take no heap: a process
 * without memory can still write its last lines.
 */
final class LineWriter {
    /** Bytes of lines that may wait; as many again may be being written. */
    static final int ROOM = 512 << 10;

    /** Longest line in bytes: a longer one would leave no room for others. */
    static final int LONGEST = ROOM / 2;

    private static final int MAX_WAIT_MILLIS = 100;
    /** Bytes that are written without waiting for more. */
    private static final int BATCH_BYTES = 64 << 10;

    private final OutputStream out;
    private final LongFunction<byte[]> notice;
    private final Thread thread = new Thread(this::run, "log");
    private byte[] waiting = new byte[ROOM];
    private int waitingBytes;
    private int waitingLines;
    private boolean urgent;
    /** Lines dropped since the last one that found room. */
    private long dropped;

    /** Used by the thread alone, except when the buffers are exchanged. */
    private byte[] underWay = new byte[ROOM];

    private int underWayBytes;
    private int underWayLines;
    private long underWayDropped;
    /** Lines that could not be written and have not been reported yet. */
    private long refused;

    /** Number of buffers handed over to be written, and of those that have been. */
    private long handedOver;

    private long written;

    /** @param notice makes the line that says how many were dropped */
    LineWriter(OutputStream out, LongFunction<byte[]> notice) {
        this.out = out;
        this.notice = notice;
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Takes a line, which is cut where it is longer than {@value #LONGEST} bytes.
     *
     * @param now whether it is written without waiting for other lines
     */
    synchronized void add(byte[] line, boolean now) {
        int length = Math.min(line.length, LONGEST);
        // After a dropped line the following ones are dropped too until the buffers are exchanged, so that gaps are
        // few.
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

    /** Waits until all earlier lines are written, for this long at most; an interrupt doesn't shorten it. */
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

    private void run() {
        try {
            while (true) {
                next();
                write();
            }
        } catch (InterruptedException e) {
            // Nobody does.
            Thread.currentThread().interrupt();
        }
    }

    /** Takes over the lines that came within a moment, perhaps none. */
    private synchronized void next() throws InterruptedException {
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
    }

    private void write() {
        if (underWayBytes == 0) {
            return;
        }
        try {
            if (refused > 0) {
                // The failed write may have ended within a line.
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
        } catch (IOException | OutOfMemoryError e) {
            // Some of them may have been written: nobody knows how many. Java takes native memory for a large write.
            refused += underWayLines + underWayDropped;
        }
    }

    private void tell(long count) throws IOException {
        try {
            out.write(notice.apply(count));
        } catch (OutOfMemoryError | LinkageError e) {
            // There was no memory for the notice, or for making it.
        }
    }
}
