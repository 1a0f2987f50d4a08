package dev.holdfast.store;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * What waits for the writer thread: bounded, in order. Whatever isn't urgent waits a moment for more to come, since each sync
 * holds up the journal's.
 */
final class ChangeQueue {
    /**
     * A change that waits.
     *
     * @param bytes what it brings into the group, roughly
     * @param urgent whether it wakes the writer at once
     */
    record Waiting(Change change, long bytes, boolean urgent, CompletableFuture<Void> done) {}

    private final int capacity;
    private final long maxGroupBytes;
    private final long lingerNanos;
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private int urgent;
    private boolean closed;

    ChangeQueue(int capacity, long maxGroupBytes, long lingerNanos) {
        this.capacity = capacity;
        this.maxGroupBytes = maxGroupBytes;
        this.lingerNanos = lingerNanos;
    }

    /** Never blocks; false when it is full or closed: then the change is the caller's to fail. */
    synchronized boolean offer(Waiting change) {
        if (closed || waiting.size() >= capacity) {
            return false;
        }
        waiting.add(change);
        urgent += change.urgent ? 1 : 0;
        if (change.urgent || waiting.size() == 1) {
            notifyAll();
        }
        return true;
    }

    /** The next group, in the order of arrival; empty only when closed and drained. */
    synchronized List<Waiting> take() throws InterruptedException {
        while (waiting.isEmpty() && !closed) {
            wait();
        }
        long deadline = System.nanoTime() + lingerNanos;
        for (long left = lingerNanos; urgent == 0 && !closed && left > 0; left = deadline - System.nanoTime()) {
            wait(left / 1_000_000 + 1);
        }
        return drain();
    }

    /** What is waiting, after at most {@code millis}; perhaps nothing. */
    @SuppressWarnings("WaitNotInLoop") // perhaps for nothing: the caller looks again
    synchronized List<Waiting> takeWithin(long millis) throws InterruptedException {
        if (waiting.isEmpty() && !closed && millis > 0) {
            wait(millis);
        }
        return drain();
    }

    /** What is waiting, up to one group's bytes; perhaps nothing. */
    synchronized List<Waiting> drain() {
        List<Waiting> group = new ArrayList<>(waiting.size());
        long bytes = 0;
        while (bytes < maxGroupBytes && !waiting.isEmpty()) {
            Waiting next = waiting.remove();
            bytes += next.bytes;
            urgent -= next.urgent ? 1 : 0;
            group.add(next);
        }
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
}
