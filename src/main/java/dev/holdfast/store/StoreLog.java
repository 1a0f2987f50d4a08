package dev.holdfast.store;

import dev.holdfast.retry.Outage;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What operators are told of a store that is damaged or away: by the log, by readiness, by counts. By whoever opens and writes it. */
final class StoreLog {
    private static final Logger LOG = LoggerFactory.getLogger(StoreLog.class);

    private final Path directory;
    private final StoreAccess access;
    private final StoreMeters meters;
    private final LedgerCounts ledger;
    private final Outage outage = new Outage();

    StoreLog(Path directory, StoreAccess access, StoreMeters meters, LedgerCounts ledger) {
        this.directory = directory;
        this.access = access;
        this.meters = meters;
        this.ledger = ledger;
    }

    /** It can't be read at the first opening, and is tried again for a moment. */
    void unreadable(StoreException cause) {
        if (outage.failed()) {
            LOG.warn("{}; that is tried again for a moment, before it counts as damaged", cause.getMessage());
        }
    }

    void setAside(Path aside, DamagedStoreException damage) {
        meters.setAside.increment();
        ledger.add(LedgerCause.STORE_SET_ASIDE, "", "", 1);
        access.note("it was damaged, is set aside as " + aside.getFileName() + " and made anew");
        LOG.error(
                "the store in {} is damaged: {}; it is set aside as {} and made anew. Some pushes come again; the dead letters"
                        + " that were in it stay there",
                directory,
                damage.getMessage(),
                aside.getFileName(),
                damage);
    }

    /** So many durable writes are gone. */
    void undone(long writes) {
        meters.undone.increment((double) writes);
        ledger.add(LedgerCause.STORE_UNDONE, "", "", writes);
        String what = writes == 1 ? "the last write is" : "the last " + writes + " writes are";
        access.note("its log was damaged: " + what + " undone");
        LOG.error("the log of the store in {} was damaged: {} undone, so some pushes come again", directory, what);
    }

    /** It can't be written; it is closed and opened again. */
    void failed(Throwable cause) {
        if (outage.failed()) {
            LOG.error("the store can't be written: {}; it is closed and opened again", cause.toString());
        }
    }

    void cannotOpen(Throwable cause, long nextTryMillis) {
        if (outage.failed()) {
            LOG.error("the store can't be opened: {}; next try in {} ms", cause.toString(), nextTryMillis);
        }
    }

    /** Something was written: an opening alone says little of what its disk takes. */
    void written() {
        if (outage.over()) {
            LOG.info("the store is open again and can be written");
        }
    }

    /** Damage was found after the first opening. */
    void stopped(Exception damage) {
        String what = "it is damaged: " + damage.getMessage() + "; the next start sets it aside and makes it anew";
        access.note(what);
        access.closed(what);
        LOG.error(
                "the store in {} is damaged: {}; nothing is kept in it any more, and deliveries stand still, until the gateway"
                        + " is started again, which sets it aside and makes it anew",
                directory,
                damage.getMessage(),
                damage);
    }
}
