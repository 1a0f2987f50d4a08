package dev.holdfast.management;

import io.vertx.core.Vertx;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Slows those who try tokens: from the {@value #FREE}th wrong token of an address on, until the address has sent none
 * for a minute, the answer comes a second late. A right token is never delayed, even from the same address. The number
 * of remembered addresses is bounded, and so is the number of answers that wait: beyond that an answer comes at once,
 * and closes its connection. Used by the event loop alone.
 */
final class FailedLogins {
    static final int FREE = 5;
    static final int MOST_WAITING = 64;
    static final int MOST_ADDRESSES = 1_000;
    static final long DELAY_MILLIS = 1_000;
    private static final long MEMORY_NANOS = TimeUnit.MINUTES.toNanos(1);

    private record Failures(int count, long lastAt) {}

    private final Vertx vertx;
    private final LongSupplier nanos;
    private final Map<String, Failures> byAddress = new LinkedHashMap<>(16, 0.75f, true);
    private int waiting;

    FailedLogins(Vertx vertx, LongSupplier nanos) {
        this.vertx = vertx;
        this.nanos = nanos;
    }

    /**
     * Notes a wrong token, and answers it.
     *
     * @param refuse answers it; called at once or later
     * @param refuseAndClose answers it; called at once if too many answers wait
     */
    void failed(String address, Runnable refuse, Runnable refuseAndClose) {
        if (count(address) < FREE) {
            refuse.run();
        } else if (waiting >= MOST_WAITING) {
            refuseAndClose.run();
        } else {
            waiting++;
            vertx.setTimer(DELAY_MILLIS, timer -> {
                waiting--;
                refuse.run();
            });
        }
    }

    private int count(String address) {
        long now = nanos.getAsLong();
        Failures before = byAddress.get(address);
        int count = before == null || now - before.lastAt() > MEMORY_NANOS ? 1 : before.count() + 1;
        byAddress.put(address, new Failures(count, now));
        if (byAddress.size() > MOST_ADDRESSES) {
            byAddress.remove(byAddress.keySet().iterator().next());
        }
        return count;
    }
}
