package dev.holdfast.receiver;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Memory set apart, and who holds how much of it. Up to half of it is anybody's; beyond that a network holds no more than a quarter
 * and a connection no more than an eighth, one holding always being allowed. Any thread.
 */
final class Holdings {
    /** What somebody has taken; to be given back. */
    final class Holding {
        private final Peer connection;
        private final String network;
        private long bytes;
        private boolean released;

        private Holding(Peer connection, String network) {
            this.connection = connection;
            this.network = network;
        }

        /** Takes so much in all if that fits; false, and nothing more taken, when it doesn't. */
        boolean tryGrow(long wanted) {
            synchronized (Holdings.this) {
                if (!isFor(wanted) || (wanted > bytes && !fits(network, connection, wanted - bytes))) {
                    return false;
                }
                add(this, Math.max(0, wanted - bytes));
                return true;
            }
        }

        /** Keeps no more than that; what was given back keeps nothing. */
        void shrink(long rest) {
            synchronized (Holdings.this) {
                add(this, Math.min(0, rest - bytes));
            }
        }

        /** Gives back what is held. More than once does no harm. */
        void release() {
            synchronized (Holdings.this) {
                if (!released) {
                    add(this, -bytes);
                    released = true;
                    count--;
                }
            }
        }
    }

    private final long capacity;
    private final long largest;
    private final Map<Object, Long> holders = new HashMap<>();
    private long total;
    private int count;

    /** @param largest nobody may take more at once, be all of it free; no more than {@code capacity} */
    Holdings(long capacity, long largest) {
        this.capacity = capacity;
        this.largest = largest;
    }

    /** Takes so many bytes if they fit; null when they don't. */
    synchronized @Nullable Holding tryTake(Peer connection, long bytes) {
        String network = connection.network();
        if (!isFor(bytes) || !fits(network, connection, bytes)) {
            return null;
        }
        Holding holding = new Holding(connection, network);
        add(holding, bytes);
        count++;
        return holding;
    }

    private void add(Holding holding, long more) {
        holding.bytes += more;
        total += more;
        holders.compute(holding.network, (key, has) -> plus(has, more));
        holders.compute(holding.connection, (key, has) -> plus(has, more));
    }

    private static @Nullable Long plus(@Nullable Long has, long more) {
        long sum = (has == null ? 0 : has) + more;
        return sum == 0 ? null : sum;
    }

    private boolean fits(String network, Peer connection, long more) {
        long wanted = total + more;
        if (wanted <= capacity / 2) {
            return true;
        }
        return wanted <= capacity && hasShare(network, more, capacity / 4) && hasShare(connection, more, capacity / 8);
    }

    private boolean hasShare(Object holder, long more, long share) {
        long has = holders.getOrDefault(holder, 0L);
        return has == 0 || has + more <= share;
    }

    /** Whether so many bytes are ever given at once. */
    boolean isFor(long bytes) {
        return bytes <= largest;
    }

    /** Whether so many bytes are free, whoever wants them. */
    synchronized boolean areFree(long bytes) {
        return total + bytes <= capacity;
    }

    /** Whether not everybody may have more. */
    synchronized boolean isCrowded() {
        return total >= capacity / 2;
    }

    /** Whether a network holds more than its share. */
    synchronized boolean isGreedy(String network) {
        return holders.getOrDefault(network, 0L) > capacity / 4;
    }

    synchronized long bytes() {
        return total;
    }

    /** How many holdings there are. */
    synchronized int count() {
        return count;
    }
}
