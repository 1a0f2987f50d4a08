package dev.holdfast.delivery;

import dev.holdfast.config.HeapPlan;

/**
 * How much of everything there may be for one consumer.
 *
 * @param pushes in memory that no batch has taken
 * @param behind lanes of which a part is in the journal only
 * @param laneRoom pushes that one lane is read on by, or may hold while it can't go on
 * @param window positions below the newest that may be handled again after a crash
 * @param redelivery pushes that may come again after a crash because they were handled since the last save
 * @param saveEvery pushes handled after which the consumer's place is saved, besides at each tick
 * @param read pushes that are read from the journal at once
 * @param batch pushes of one lane that are sent at once
 * @param underWay pushes under way in all lanes together, as far as each may have one
 * @param tickMillis between two looks at what nobody tells of
 */
record Bounds(
        int pushes,
        int behind,
        int laneRoom,
        int window,
        int redelivery,
        int saveEvery,
        int read,
        int batch,
        int underWay,
        long tickMillis) {
    private static final long BYTES_A_PUSH = 4096;
    private static final HeapPlan HEAP = HeapPlan.ofProcess();

    /** Bytes of bodies that are read at once. */
    static final long READ_BYTES = 2L * 1024 * 1024;

    /** Bytes of bodies that may be under way to one consumer. */
    static final long BYTES_UNDER_WAY = HEAP.perConsumer();

    /** What a gateway runs with; the limits that the README tells come from here. */
    static final Bounds STANDARD = new Bounds(4096, 1024, 512, 4096, 4096, 512, 512, 256, 2048, 200);

    /** Pushes in memory that the front may fill: lanes that are read on always find some room. */
    int frontPushes() {
        return pushes / 4 * 3;
    }

    /** Bytes of bodies in memory that no batch has taken. */
    long bytes() {
        return Math.min(pushes * BYTES_A_PUSH, HEAP.perConsumer());
    }

    /** For each replay of a consumer, beside its ordinary way. */
    Bounds ofReplay() {
        return new Bounds(
                Math.max(8, pushes / 8),
                behind,
                Math.max(4, laneRoom / 8),
                window,
                redelivery,
                saveEvery,
                read,
                batch,
                underWay,
                tickMillis);
    }

    /** A lane that is behind is read on when it has fewer pushes. */
    int hungryBelow() {
        return laneRoom / 2;
    }

    /** Pushes of one lane that are sent at once where so many lanes are at work. */
    int batch(int concurrency) {
        return Math.max(1, Math.min(batch, underWay / concurrency));
    }
}
