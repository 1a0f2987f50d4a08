package dev.holdfast.receiver;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether memory, in the heap or beside it, runs out in requests, and whether that passes. One that is refused for it frees
 * what it held, so that the next may be accepted; where none is, the gateway is as good as deaf. Any thread.
 */
public final class MemoryShortage {
    private static final Logger LOG = LoggerFactory.getLogger(MemoryShortage.class);
    private static final long NEVER = 0;
    private static final int MOST_CAUSES = 16;

    private final Counter happened;
    /** When it first happened since a push was accepted, by {@link System#nanoTime}; {@link #NEVER}: it has not. */
    private final AtomicLong since = new AtomicLong(NEVER);

    private volatile long last;

    MemoryShortage(MeterRegistry registry) {
        happened = Counter.builder("holdfast.receiver.memory.shortages")
                .description("Requests and connections that memory ran out for")
                .register(registry);
    }

    /** That failure, or the one behind it, if memory ran out. */
    public static @Nullable OutOfMemoryError in(@Nullable Throwable failure) {
        Throwable cause = failure;
        for (int i = 0; cause != null && i < MOST_CAUSES; i++) {
            if (cause instanceof OutOfMemoryError shortage) {
                return shortage;
            }
            cause = cause.getCause();
        }
        return null;
    }

    /** Counts a failure in a request, or with a connection, that is for want of memory; false where it is another one. */
    boolean happened(Throwable failure) {
        OutOfMemoryError cause = in(failure);
        if (cause == null) {
            return false;
        }
        long now = System.nanoTime() | 1;
        last = now;
        happened.increment();
        if (since.compareAndSet(NEVER, now)) {
            LOG.error(
                    "out of memory: {}; pushes are answered 503 until it is over", String.valueOf(cause.getMessage()));
        }
        return true;
    }

    /** A push was accepted. */
    void over() {
        if (since.get() != NEVER) {
            since.set(NEVER);
        }
    }

    /** For how long it has happened again and again without a push accepted meanwhile, in nanoseconds; 0: it has not. */
    public long lasts() {
        long began = since.get();
        return began == NEVER ? 0 : Math.max(0, last - began);
    }
}
