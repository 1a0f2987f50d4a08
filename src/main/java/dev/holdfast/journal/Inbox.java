package dev.holdfast.journal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * What waits for the writer thread: bounded, in order. Pushes wake the writer at once; cursors wait a moment for pushes to
 * ride with, since a sync of their own would hold up the next push.
 */
final class Inbox {
    private final int capacity;
    private final long maxGroupBytes;
    private final long patienceNanos;
    private final ArrayDeque<Operation> waiting = new ArrayDeque<>();
    private int urgent;
    private boolean closed;
    private boolean writerWaits;

    /**
     * @param capacity operations that may wait
     * @param maxGroupBytes bodies in one group, but for the last of it
     * @param patienceNanos how long operations that are not urgent wait for one that is
     */
    Inbox(int capacity, long maxGroupBytes, long patienceNanos) {
        this.capacity = capacity;
        this.maxGroupBytes = maxGroupBytes;
        this.patienceNanos = patienceNanos;
    }

    /** Never blocks; false when it is full or closed: then the operation is the caller's to fail. */
    synchronized boolean offer(Operation operation) {
        if (closed || waiting.size() >= capacity) {
            return false;
        }
        waiting.add(operation);
        if (operation.isUrgent()) {
            urgent++;
        }
        if (writerWaits && (urgent == 1 || waiting.size() == 1)) {
            notifyAll();
        }
        return true;
    }

    /** The next group, in the order of arrival; empty only when closed and drained. */
    synchronized List<Operation> take() throws InterruptedException {
        long deadline = 0;
        while (urgent == 0 && !closed) {
            if (waiting.isEmpty()) {
                await(0);
                continue;
            }
            long now = System.nanoTime();
            deadline = deadline == 0 ? now + patienceNanos : deadline;
            if (deadline - now <= 0) {
                break;
            }
            await((deadline - now) / 1_000_000 + 1);
        }
        return drain();
    }

    /** What is waiting, after at most {@code millis}; perhaps nothing. */
    synchronized List<Operation> takeWithin(long millis) throws InterruptedException {
        if (waiting.isEmpty() && !closed && millis > 0) {
            await(millis);
        }
        return drain();
    }

    synchronized boolean isClosed() {
        return closed;
    }

    /** Nothing more comes in; what waits is still to be taken. */
    synchronized void close() {
        closed = true;
        notifyAll();
    }

    /** Perhaps for nothing: both callers look again. */
    @SuppressWarnings("WaitNotInLoop")
    private void await(long millis) throws InterruptedException {
        writerWaits = true;
        try {
            wait(millis);
        } finally {
            writerWaits = false;
        }
    }

    /** What is waiting, up to one group's bytes; perhaps nothing. */
    synchronized List<Operation> drain() {
        List<Operation> group = new ArrayList<>(waiting.size());
        long bytes = 0;
        while (bytes < maxGroupBytes) {
            Operation next = waiting.poll();
            if (next == null) {
                break;
            }
            bytes += next.bytes();
            group.add(next);
            if (next.isUrgent()) {
                urgent--;
            }
        }
        return group;
    }
}
