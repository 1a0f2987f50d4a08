package dev.holdfast.delivery;

import dev.holdfast.config.HeapPlan;

/**
 * How much of everything there may be for one source of pushes of one consumer.
 *
 * @param pushes in memory, be they waiting or under way
 * @param ahead pushes beyond the position that were handled: they come again after a crash
 * @param unsaved pushes handled since the last checkpoint: they come again after a crash too; as many references may wait for one
 * @param saveEvery pushes handled after which there is a checkpoint, besides at each tick
 * @param page pushes that are read at once
 * @param batch pushes of one lane that are sent at once
 * @param underWay pushes under way in all lanes together, as far as each may have one
 * @param tickMillis between two looks at what nobody tells of
 */
record Limits(int pushes, int ahead, int unsaved, int saveEvery, int page, int batch, int underWay, long tickMillis) {
    private static final long BYTES_A_PUSH = 4096;
    private static final HeapPlan HEAP = HeapPlan.ofProcess();

    /** Bytes of bodies that are read at once. */
    static final long PAGE_BYTES = 2L * 1024 * 1024;

    private static final long MAX_BATCH_BYTES = 4L * 1024 * 1024;

    /** What a gateway runs with; the limits that the README tells come from here. */
    static final Limits STANDARD = new Limits(6144, 4096, 4096, 512, 512, 256, 2048, 200);

    /** Bytes of bodies in memory. */
    long bytes() {
        return Math.min(pushes * BYTES_A_PUSH, 2 * HEAP.perConsumer());
    }

    /** Bytes of one lane's bodies that are sent at once where so many lanes are at work. */
    static long batchBytes(int concurrency) {
        return Math.min(MAX_BATCH_BYTES, HEAP.perConsumer() / concurrency);
    }

    /** For each replay of a consumer, beside its live pushes. */
    Limits ofReplay() {
        return new Limits(Math.max(batch, pushes / 8), ahead, unsaved, saveEvery, page, batch, underWay, tickMillis);
    }

    /** Pushes of one lane that are sent at once where so many lanes are at work. */
    int batch(int concurrency) {
        return Math.max(1, Math.min(batch, underWay / concurrency));
    }
}
