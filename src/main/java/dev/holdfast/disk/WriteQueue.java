package dev.holdfast.disk;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Requests that wait for a {@link GroupWriter}: bounded, in order. An urgent one wakes the writer at once; others wait
 * a moment for company, since a sync of their own would hold up the next one. Offered by any thread, taken by one.
 *
 * @param <R> the requests
 */
public final class WriteQueue<R extends WriteQueue.Request> {
    /** What a writer is asked to do. */
    public interface Request {

        /** Bytes that it adds to the group, roughly. */
        long bytes();

        /** Whether it wakes the writer at once. */
        boolean isUrgent();
    }

    private final int capacity;
    private final long maxGroupBytes;
    private final long lingerNanos;
    private final ArrayDeque<R> waiting = new ArrayDeque<>();
    private int urgent;
    private boolean closed;
    private boolean writerWaits;

    /**
     * @param capacity requests that may wait
     * @param maxGroupBytes bytes in one group; the last request in it may exceed that
     * @param lingerNanos how long a request that isn't urgent waits for an urgent one
     */
    public WriteQueue(int capacity, long maxGroupBytes, long lingerNanos) {
        this.capacity = capacity;
        this.maxGroupBytes = maxGroupBytes;
        this.lingerNanos = lingerNanos;
    }

    /** Adds a request. Never blocks. False if the queue is full or closed: then the caller must fail the request. */
    public synchronized boolean offer(R request) {
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

    /** The next group, in the order of arrival; empty only when closed and drained. */
    synchronized List<R> take() throws InterruptedException {
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
        return drain();
    }

    /** What is waiting, after at most {@code millis}; perhaps nothing. */
    synchronized List<R> takeWithin(long millis) throws InterruptedException {
        if (waiting.isEmpty() && !closed && millis > 0) {
            await(millis);
        }
        return drain();
    }

    public synchronized boolean isClosed() {
        return closed;
    }

    /** Closes the queue to new requests; those that wait can still be taken. */
    public synchronized void close() {
        closed = true;
        notifyAll();
    }

    /** Waits; may return early, so both callers check again. */
    @SuppressWarnings("WaitNotInLoop")
    private void await(long millis) throws InterruptedException {
        writerWaits = true;
        try {
            wait(millis);
        } finally {
            writerWaits = false;
        }
    }

    /** What is waiting, up to one group's bytes; perhaps nothing. By the thread that takes. */
    public synchronized List<R> drain() {
        List<R> group = new ArrayList<>(waiting.size());
        long bytes = 0;
        while (bytes < maxGroupBytes && !waiting.isEmpty()) {
            R next = waiting.remove();
            bytes += next.bytes();
            group.add(next);
            if (next.isUrgent()) {
                urgent--;
            }
        }
        return group;
    }
}
