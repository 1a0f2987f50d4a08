package dev.holdfast.journal;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What is durable: the kept range of pushes and the consumers' cursors. Written by the writer thread, read by any. */
final class Positions {
    private volatile long first = 1;
    private volatile long last;
    private final Map<String, Progress> cursors = new ConcurrentHashMap<>();

    /** The oldest kept position; {@link #last} + 1 when nothing is kept. */
    long first() {
        return first;
    }

    /** The newest durable position; 0 when there was never one. */
    long last() {
        return last;
    }

    Map<String, Progress> cursors() {
        return Map.copyOf(cursors);
    }

    void first(long seq) {
        first = seq;
    }

    void last(long seq) {
        last = seq;
    }

    void cursor(String consumer, Progress progress) {
        cursors.put(consumer, progress);
    }
}
