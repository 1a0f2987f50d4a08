package dev.holdfast.store;

import java.time.LocalDate;
import java.util.List;

/**
 * What was refused or lost, counted by day (UTC), cause and endpoint, and when the gateway was down. Counting takes place in memory;
 * {@link #write} makes it durable, so that a crash costs the counts since the last one and nothing else. The newest
 * {@value #MOST_DAYS} days with counts and the newest {@value #MOST_STARTS} starts are kept. Any thread.
 */
public interface Ledger {
    int MOST_DAYS = 400;
    int MOST_STARTS = 1_000;

    /**
     * Counts one of a request or a push. Never blocks and never fails, however the store is.
     *
     * @param cause one of a bounded number, such as {@code signature}
     * @param endpoint its name; empty: of none
     */
    void count(String cause, String endpoint);

    /**
     * Counts what was found damaged, with the next write. Finding the same again, be it after a restart, changes nothing. Never
     * blocks.
     *
     * @param what tells it from all else with this cause, such as a file's name
     * @param times what it counts for
     */
    void found(String cause, String what, long times);

    /**
     * Counts pushes that were given up for a consumer. Never blocks and never fails, however the store is.
     *
     * @param cause one of a bounded number
     * @param event theirs; empty: several
     * @param firstSeq the lowest position among them
     * @param lastSeq the highest one
     */
    void gaveUp(String cause, String consumer, String event, long times, long firstSeq, long lastSeq);

    /**
     * The gateway accepts pushes from now on, which makes a line of its own.
     *
     * @param ranBefore whether it did so in this directory before, as far as others than the store know
     */
    void started(boolean ranBefore);

    /** Makes durable what has changed, if something has; to be called every second or so. Never blocks. */
    void write();

    /** The port is closed: the gateway is down from now on. */
    void closed();

    /** All was stopped in good order: writes what is left, and that it is so, if the gateway had {@link #started}. Never blocks. */
    void stopped();

    /**
     * The counts as of now, the newest days first, those of a day by cause, endpoint, consumer and event. Reads the disk: blocks.
     *
     * @param from the first day
     * @param to the day after the last one
     * @throws StoreException when the store is not open
     */
    List<LedgerCount> counts(LocalDate from, LocalDate to, int max);

    /** The starts that are durable, of the same days, the newest first. Reads the disk: blocks. */
    List<LedgerStart> starts(LocalDate from, LocalDate to, int max);
}
