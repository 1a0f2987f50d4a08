package dev.holdfast.delivery;

import dev.holdfast.config.HeapPlan;

/**
 * How much of everything there may be for one source of pushes of one consumer.
 *
 * @param pushes in memory, be they waiting or under way
 * @param failedLanes lanes whose first push has failed and waits for its next attempt: beside so many nothing more is taken
 * @param ahead pushes beyond the position that were handled: they come again after a crash
 * @param unsaved pushes handled since the last checkpoint: they come again after a crash too; as many references may wait for one
 * @param saveEvery pushes handled after which there is a checkpoint, besides at each tick
 * @param page pushes that are read at once
 * @param batch pushes of one lane that are sent at once
 * @param underWay pushes under way in all lanes together, as far as each may have one
 * @param tickMillis between two looks at what nobody tells of
 * @param handOver bytes of pushes that wait on their way from the journal: those beyond are read from it
 */
record Limits(
        int pushes,
        int failedLanes,
        int ahead,
        int unsaved,
        int saveEvery,
        int page,
        int batch,
        int underWay,
        long tickMillis,
        long handOver) {
    private static final long BYTES_A_PUSH = 4096;
    private static final HeapPlan HEAP = HeapPlan.ofProcess();

    /** Bytes of bodies that are read at once. */
    static final long PAGE_BYTES = 2L * 1024 * 1024;
    /**
     * Bytes of bodies in memory up to which more are read. What is read back is to be gone before the collector meets it: with
     * 24 MiB it was at work for a tenth of the time while a consumer was caught up with.
     */
    private static final long READ_AHEAD = 4L * 1024 * 1024;
    /** So many pushes are read ahead however large they are, or large ones would wait for each other's lanes. */
    private static final int ALWAYS_READ = 64;

    /** What a gateway runs with; the limits that the README tells come from here. */
    static final Limits STANDARD = new Limits(6144, HEAP.failedLanes(), 4096, 4096, 512, 512, 256, 2048, 200);

    /** With as much on the way as the heap has room for. */
    Limits(
            int pushes,
            int failedLanes,
            int ahead,
            int unsaved,
            int saveEvery,
            int page,
            int batch,
            int underWay,
            long tickMillis) {
        this(
                pushes,
                failedLanes,
                ahead,
                unsaved,
                saveEvery,
                page,
                batch,
                underWay,
                tickMillis,
                HEAP.handover() - LiveListeners.MOST);
    }

    /** Whether pushes that come in find no room in memory beside these, with so many bytes of bodies. */
    boolean isFull(int count, long bytes) {
        return count >= pushes || bytes >= Math.min(pushes * BYTES_A_PUSH, 2 * HEAP.perConsumer());
    }

    /** Whether nothing more is read beside these. */
    boolean isReadFull(int count, long bytes) {
        return isFull(count, bytes) || (bytes >= READ_AHEAD && count >= ALWAYS_READ);
    }

    /** Bytes of one lane's bodies that are sent at once. */
    long batchBytes() {
        return HEAP.perConsumer() * batch / underWay;
    }

    /** Bytes of one lane's bodies that are read back at once: of all lanes half of what is read ahead, so that both go on. */
    long readBackBytes() {
        return Math.min(HEAP.perConsumer(), READ_AHEAD / 2) * batch / underWay;
    }

    /** Bytes of pushes that are handed over at once: room comes free before all that wait are. */
    long handOverPage() {
        return Math.min(PAGE_BYTES, handOver / 2);
    }

    /** For each replay of a consumer, beside its live pushes. */
    Limits ofReplay() {
        int lanes = Math.max(1, failedLanes / 8);
        return new Limits(
                Math.max(batch, pushes / 8),
                lanes,
                ahead,
                unsaved,
                saveEvery,
                page,
                batch,
                underWay,
                tickMillis,
                handOver);
    }

    /** For a consumer of which so many lanes may be at work at once. */
    Limits ofLanes(int concurrency) {
        int ofOne = Math.max(1, Math.min(batch, underWay / concurrency));
        return new Limits(pushes, failedLanes, ahead, unsaved, saveEvery, page, ofOne, underWay, tickMillis, handOver);
    }
}
