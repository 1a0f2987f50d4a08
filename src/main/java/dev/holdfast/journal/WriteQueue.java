package dev.holdfast.journal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * What waits for the writer thread: bounded, in order. A push wakes the writer at once; a note waits a moment for pushes to
 * ride with, since a sync of its own would hold up the next push. Offered to by any thread, taken from by one.
 */
final class WriteQueue {
    private final int capacity;
    private final long maxGroupBytes;
    private final long lingerNanos;
    private final ArrayDeque<WriteRequest> waiting = new ArrayDeque<>();
    private int urgent;
    private boolean closed;
    private boolean writerWaits;

    /**
     * @param capacity requests that may wait
     * @param maxGroupBytes bodies in one group, but for the last of it
     * @param lingerNanos how long what isn't urgent waits for something that is
     */
    WriteQueue(int capacity, long maxGroupBytes, long lingerNanos) {
        this.capacity = capacity;
        this.maxGroupBytes = maxGroupBytes;
        this.lingerNanos = lingerNanos;
    }

    /** Never blocks; false when it is full or closed: then the request is the caller's to fail. */
    synchronized boolean offer(WriteRequest request) {
        if (closed || waiting.size() >= capacity) {
            return false;
        }
        waiting.add(request);
        if (request.isUrgent()) {
            urgent++;
        }
        if (writerWaits && (urgent == 1 || waiting.size() == 1)) {
            notifyAll();
        }
        return true;
    }

    /** Fills {@code group} with the next one, in the order of arrival; leaves it empty only when closed and drained. */
    synchronized void take(List<WriteRequest> group) throws InterruptedException {
        long deadline = 0;
        while (urgent == 0 && !closed) {
            if (waiting.isEmpty()) {
                await(0);
                continue;
            }
            long now = System.nanoTime();
            deadline = deadline == 0 ? now + lingerNanos : deadline;
            if (deadline - now <= 0) {
                break;
            }
            await((deadline - now) / 1_000_000 + 1);
        }
        drain(group);
    }

    /** What is waiting, after at most {@code millis}; perhaps nothing. */
    synchronized List<WriteRequest> takeWithin(long millis) throws InterruptedException {
        if (waiting.isEmpty() && !closed && millis > 0) {
            await(millis);
        }
        List<WriteRequest> group = new ArrayList<>();
        drain(group);
        return group;
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
    synchronized List<WriteRequest> drain() {
        List<WriteRequest> group = new ArrayList<>();
        drain(group);
        return group;
    }

    private void drain(List<WriteRequest> group) {
        long bytes = 0;
        while (bytes < maxGroupBytes) {
            WriteRequest next = waiting.poll();
            if (next == null) {
                break;
            }
            bytes += next.bytes();
            group.add(next);
            if (next.isUrgent()) {
                urgent--;
            }
        }
    }
}
