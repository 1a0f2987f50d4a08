package dev.holdfast.journal;

import io.micrometer.core.instrument.Counter;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Kept pushes that turned out missing or broken: each is logged and counted once, however often it is come across. */
final class Losses {
    private static final Logger LOG = LoggerFactory.getLogger(Losses.class);
    /** Positions remembered; past it a loss may be counted again. */
    private static final int REMEMBERED = 100_000;

    private final Counter corrupt;
    private final Set<Long> known = ConcurrentHashMap.newKeySet();

    Losses(Counter corrupt) {
        this.corrupt = corrupt;
    }

    void broken(long seq, String cause) {
        if (remember(seq)) {
            corrupt.increment();
            LOG.error("push {} can't be read back: {}", seq, cause);
        }
    }

    /** The positions {@code from} to {@code to}, both included, are not there. */
    void missing(long from, long to) {
        if (remember(from)) {
            corrupt.increment(to - from + 1.0);
            LOG.error("pushes {} to {} are missing in the journal", from, to);
        }
    }

    private boolean remember(long seq) {
        if (known.size() >= REMEMBERED) {
            known.clear();
        }
        return known.add(seq);
    }
}
