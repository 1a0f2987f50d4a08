package dev.holdfast.bench;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** The rate of something that is counted up to a number; the first fifth is for warming up. Any thread. */
final class Stopwatch {
    private static final long TIMEOUT_SECONDS = 300;

    private final int count;
    private final int warm;
    private final AtomicInteger counted = new AtomicInteger();
    private final CompletableFuture<Long> end = new CompletableFuture<>();
    private volatile long begin;

    Stopwatch(int count) {
        this.count = count;
        this.warm = count / 5;
    }

    void tick() {
        int present = counted.incrementAndGet();
        if (present == warm) {
            begin = System.nanoTime();
        } else if (present == count) {
            end.complete(System.nanoTime());
        }
    }

    boolean isOver() {
        return end.isDone();
    }

    /** How many a second, once all are counted. */
    double await() {
        try {
            return (count - warm) * 1e9 / (end.get(TIMEOUT_SECONDS, TimeUnit.SECONDS) - begin);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("counted " + counted + " of " + count + " in time", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted after " + counted + " of " + count, e);
        }
    }
}
