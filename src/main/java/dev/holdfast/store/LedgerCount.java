package dev.holdfast.store;

import java.time.LocalDate;

/**
 * How many of a kind there were on a day.
 *
 * @param day in UTC
 * @param endpoint empty: none
 * @param consumer empty: it concerns none
 */
public record LedgerCount(LocalDate day, String cause, String endpoint, String consumer, long count) {}
