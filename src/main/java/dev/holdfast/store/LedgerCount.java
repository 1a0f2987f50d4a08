package dev.holdfast.store;

import java.time.LocalDate;

/**
 * How many of a kind there were on a day.
 *
 * @param day in UTC
 * @param endpoint empty: none
 * @param consumer empty: it concerns none
 * @param event empty: any, or none
 * @param firstSeq the lowest position among them; 0: they have none
 * @param lastSeq the highest one
 */
public record LedgerCount(
        LocalDate day,
        String cause,
        String endpoint,
        String consumer,
        String event,
        long count,
        long firstSeq,
        long lastSeq) {}
