package dev.holdfast.delivery;

import dev.holdfast.push.PushRecord;
import io.vertx.core.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Committed pushes on their way from the journal's thread to the delivery's event loop. Where one commit follows the other they
 * are gathered for some milliseconds: a batch costs much beside its pushes, and there are fewer then. Those that come
 * after a pause go at once.
 */
final class HandOver {
    private static final long GATHER_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final Context context;
    private final Limits limits;
    private final LongSupplier nanoTime;
    private final Consumer<List<PushRecord>> offer;
    private final AtomicLong bytes = new AtomicLong();
    /** Guarded by this; where there are any, somebody is called for them. */
    private final List<PushRecord> waiting = new ArrayList<>();
    /** When some were offered last. On the event loop. */
    private long offeredAt;

    /** @param offer takes them, on the event loop of {@code context} */
    HandOver(Context context, Limits limits, LongSupplier nanoTime, Consumer<List<PushRecord>> offer) {
        this.context = context;
        this.limits = limits;
        this.nanoTime = nanoTime;
        this.offer = offer;
        this.offeredAt = nanoTime.getAsLong() - GATHER_NANOS;
    }

    /** Whether nothing is on its way. Any thread. */
    boolean isEmpty() {
        return bytes.get() == 0;
    }

    /**
     * On the journal's thread.
     *
     * @return false: they are not taken, since too many wait
     */
    boolean take(List<PushRecord> pushes) {
        if (bytes.get() > limits.handOver()) {
            return false;
        }
        if (add(pushes)) {
            orForget(() -> call(this::gather));
        }
        return true;
    }

    /** Whether they are the first. */
    private synchronized boolean add(List<PushRecord> pushes) {
        boolean first = waiting.isEmpty();
        waiting.addAll(pushes);
        bytes.addAndGet(held(pushes));
        return first;
    }

    /** One step on the way of those that wait. Where it fails they are on it no more, and a tick finds them. */
    private <T> T orForget(Supplier<T> step) {
        try {
            return step.get();
        } catch (RuntimeException | Error e) {
            forget();
            throw e;
        }
    }

    private boolean call(Runnable next) {
        context.runOnContext(v -> next.run());
        return true;
    }

    private synchronized void forget() {
        bytes.addAndGet(-held(waiting));
        waiting.clear();
    }

    private void gather() {
        long nanos = GATHER_NANOS - (nanoTime.getAsLong() - offeredAt);
        if (nanos > 0) {
            long millis = 1 + TimeUnit.NANOSECONDS.toMillis(nanos);
            orForget(() -> context.owner().setTimer(millis, timer -> offer()));
        } else {
            offer();
        }
    }

    /** A page without a gap: consumers that have no room for it all have it read later. */
    private void offer() {
        offeredAt = nanoTime.getAsLong();
        List<PushRecord> page = orForget(this::page);
        try {
            if (isLeft()) {
                orForget(() -> call(this::offer));
            }
            if (!page.isEmpty()) {
                offer.accept(page);
            }
        } finally {
            bytes.addAndGet(-held(page));
        }
    }

    private synchronized List<PushRecord> page() {
        int count = 0;
        for (long held = 0; count < waiting.size() && held < limits.handOverPage() && follows(count); count++) {
            held += LiveListeners.weight(waiting.get(count));
        }
        List<PushRecord> first = waiting.subList(0, count);
        List<PushRecord> page = List.copyOf(first);
        first.clear();
        return page;
    }

    /** Whether none that found no room lies between the one at this place and the one before. */
    private boolean follows(int place) {
        return place == 0 || waiting.get(place).seq() == waiting.get(place - 1).seq() + 1;
    }

    private synchronized boolean isLeft() {
        return !waiting.isEmpty();
    }

    /** Takes no memory: there may be none. */
    private static long held(List<PushRecord> pushes) {
        long held = 0;
        for (int i = 0; i < pushes.size(); i++) {
            held += LiveListeners.weight(pushes.get(i));
        }
        return held;
    }
}
