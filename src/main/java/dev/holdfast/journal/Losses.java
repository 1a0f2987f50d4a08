package dev.holdfast.journal;

import io.micrometer.core.instrument.Counter;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Kept pushes that turned out missing or broken: each is logged and counted once, however often it is come across. */
final class Losses {
    private static final Logger LOG = LoggerFactory.getLogger(Losses.class);
    /** Ranges remembered; past it a loss may be counted again. */
    private static final int REMEMBERED = 100_000;

    private final Counter corrupt;
    /** First to last position of each range of losses; no two of them touch. */
    private final TreeMap<Long, Long> known = new TreeMap<>();

    Losses(Counter corrupt) {
        this.corrupt = corrupt;
    }

    void broken(long seq, String cause) {
        if (remember(seq, seq) > 0) {
            corrupt.increment();
            LOG.error("push {} can't be read back: {}", seq, cause);
        }
    }

    /** The positions {@code from} to {@code to}, both included, are not there. */
    void missing(long from, long to) {
        long fresh = remember(from, to);
        if (fresh > 0) {
            corrupt.increment((double) fresh);
            LOG.error("pushes {} to {} are missing in the journal; {} of them were not known to be", from, to, fresh);
        }
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
            fresh -= Math.min(range.getValue(), to) - Math.max(range.getKey(), from) + 1;
            first = Math.min(first, range.getKey());
            last = Math.max(last, range.getValue());
            known.remove(range.getKey());
            range = known.floorEntry(to + 1);
        }
        known.put(first, last);
        return fresh;
    }
}
