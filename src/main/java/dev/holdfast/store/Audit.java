package dev.holdfast.store;

import java.util.List;
import java.util.concurrent.CompletionStage;

/** Who changed what, of which the newest {@value #MOST} are kept. Any thread. */
public interface Audit {
    int MOST = 10_000;

    /**
     * One that is kept.
     *
     * @param number its place: a newer one has a higher one
     */
    record Line(long number, AuditEntry entry) {}

    /** Keeps one. Never blocks; fails with a {@link StoreException} when the disk does. */
    CompletionStage<Void> add(AuditEntry entry);

    /**
     * Those that are durable, the newest first. Reads the disk: blocks.
     *
     * @param below only those with a lower number
     * @throws StoreException when the store is not open
     */
    List<Line> newest(long below, int max);
}
