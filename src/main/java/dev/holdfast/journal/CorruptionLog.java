package dev.holdfast.journal;

import dev.holdfast.store.LedgerCause;
import io.micrometer.core.instrument.Counter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What turned out damaged: each lost push is logged and counted once, however often it is come across. Any thread. */
final class CorruptionLog {
    private static final Logger LOG = LoggerFactory.getLogger(CorruptionLog.class);
    /** Ranges remembered; past it a loss may be counted again. */
    private static final int REMEMBERED = 100_000;
    /** Files of which it is remembered what is wrong with them. */
    private static final int FILES = 1_000;

    /** More than these are only counted where all is told. */
    private static final int RANGES_TOLD = 20;

    /** Hears of each loss that is not known yet; the same may be found again after a restart. */
    interface Findings {
        void found(String cause, String what, long times);
    }

    private final Counter corrupt;
    private final Findings findings;
    /** First to last position of each range of losses; no two of them touch. */
    private final TreeMap<Long, Long> known = new TreeMap<>();

    private final Map<String, String> files = new LinkedHashMap<>();

    /** @param corrupt counts the pushes that are lost */
    CorruptionLog(Counter corrupt, Findings findings) {
        this.corrupt = corrupt;
        this.findings = findings;
    }

    /** Something is wrong with a file; returns whether that is news. */
    synchronized boolean damaged(String file, String cause) {
        if (files.size() >= FILES || files.putIfAbsent(file, cause) != null) {
            return false;
        }
        LOG.error("{} is damaged: {}", file, cause);
        findings.found(LedgerCause.JOURNAL_FILE, file, 1);
        return true;
    }

    void broken(long seq, String cause) {
        if (remember(seq, seq) > 0) {
            corrupt.increment();
            findings.found(LedgerCause.JOURNAL_PUSH, Long.toString(seq), 1);
            LOG.error("push {} can't be read back: {}", seq, cause);
        }
    }

    /** The positions {@code from} to {@code to}, both included, are not there. */
    void missing(long from, long to) {
        long fresh = remember(from, to);
        if (fresh > 0) {
            corrupt.increment((double) fresh);
            findings.found(LedgerCause.JOURNAL_PUSH, from + "-" + to, fresh);
            LOG.error("pushes {} to {} are missing in the journal; {} of them were not known to be", from, to, fresh);
        }
    }

    /** What is wrong by file, and which pushes are lost. */
    synchronized List<String> all() {
        List<String> all = new ArrayList<>(files());
        known.entrySet().stream().limit(RANGES_TOLD).forEach(range -> all.add(text(range)));
        int untold = known.size() - RANGES_TOLD;
        if (untold > 0) {
            all.add(untold + (untold == 1 ? " more range of pushes is" : " more ranges of pushes are")
                    + " missing or can't be read");
        }
        return all;
    }

    private static String text(Map.Entry<Long, Long> range) {
        return range.getKey().equals(range.getValue())
                ? "push " + range.getKey() + " is missing or can't be read"
                : "pushes " + range.getKey() + " to " + range.getValue() + " are missing or can't be read";
    }

    /** What is wrong, by file. */
    synchronized List<String> files() {
        return files.entrySet().stream()
                .map(file -> file.getKey() + ": " + file.getValue())
                .toList();
    }

    /** What is wrong with a file; null when nothing is known to be. */
    synchronized @Nullable String cause(String file) {
        return files.get(file);
    }

    /** How many of the positions {@code from} to {@code to}, both included, are known to be lost. */
    synchronized long lost(long from, long to) {
        return known.entrySet().stream()
                .mapToLong(range -> Math.max(0, Math.min(range.getValue(), to) - Math.max(range.getKey(), from) + 1))
                .sum();
    }

    /** Returns how many of the positions were not known yet. */
    private synchronized long remember(long from, long to) {
        if (known.size() >= REMEMBERED) {
            known.clear();
        }
        long first = from;
        long last = to;
        long fresh = to - from + 1;
        Map.Entry<Long, Long> range = known.floorEntry(to + 1);
        while (range != null && range.getValue() >= from - 1) {
            fresh -= Math.max(0, Math.min(range.getValue(), to) - Math.max(range.getKey(), from) + 1);
            first = Math.min(first, range.getKey());
            last = Math.max(last, range.getValue());
            known.remove(range.getKey());
            range = known.floorEntry(to + 1);
        }
        known.put(first, last);
        return fresh;
    }
}
