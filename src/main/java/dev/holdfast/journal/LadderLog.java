package dev.holdfast.journal;

import dev.holdfast.config.ByteSize;
import dev.holdfast.config.JournalConfig;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What operators are told of the {@link DiskLadder}: where it stands, at each step and then once a minute; and once what keeps it
 * from something. By the ladder's thread, but for {@link #notice}.
 */
final class LadderLog {
    private static final Logger LOG = LoggerFactory.getLogger(LadderLog.class);
    private static final long REMINDER_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final String NOTHING_YET = "nothing is given up yet";

    private final JournalConfig config;
    private volatile String notice = "";
    private long removed;
    private String givenUp = NOTHING_YET;
    /** Whether a consumer is what keeps the disk full. */
    private boolean consumerAtFault = true;

    private int toldStep;
    private long toldAt;
    private String complaint = "";

    LadderLog(JournalConfig config) {
        this.config = config;
    }

    /** Where the ladder stands, and what is to be done; empty: at its foot. Any thread. */
    String notice() {
        return notice;
    }

    /** So many bytes were removed early. */
    void removed(long bytes) {
        removed += bytes;
    }

    /** What was removed early was enough, so that the ladder is not climbed. */
    void removedEnough(long foundBefore) {
        LOG.warn(
                "a disk that fills: found {} free in {}, expected {} (journal.reserve): {} that every consumer has"
                        + " had were removed early; make room, or lower journal.max-size",
                mib(foundBefore),
                config.directory(),
                ByteSize.show(config.reserve()),
                mib(removed));
        removed = 0;
    }

    void gaveUp(long below) {
        givenUp = "pushes before " + below
                + " are given up for those who have not had them for longer than their hold:"
                + " the ledger has counts and positions";
        consumerAtFault = true;
        toldAt = System.nanoTime() - REMINDER_NANOS;
    }

    /** @param holder the consumer that needs what would be next, and why it still does; empty: there is no file but the newest */
    void nothingToGiveUp(Optional<String> holder, long journalSize) {
        givenUp = "nothing more can be given up: "
                + holder.orElse("the journal's " + mib(journalSize) + " lie in the file that is being written to");
        consumerAtFault = holder.isPresent();
    }

    /** The ladder stands at a step, with so much free; a step that is new is told at once, another when it is time. */
    void stands(int reached, long left) {
        notice = "step " + reached + " of 4 on a disk that fills: found " + mib(left) + " free in "
                + config.directory() + ", expected " + ByteSize.show(config.reserve()) + " (journal.reserve). "
                + doneAndToDo(reached);
        if (toldStep != reached) {
            toldStep = reached;
            toldAt = System.nanoTime() - REMINDER_NANOS;
            remind();
        }
    }

    private String doneAndToDo(int reached) {
        String early = "What every consumer has had is removed early (" + mib(removed)
                + " so far), readiness is red, pushes are accepted";
        return switch (reached) {
            case 1 -> early + ": make room, or lower journal.max-size";
            case 2 ->
                early
                        + ", and what was set aside is given up: make room now. Next, what consumers have not had for"
                        + " longer than their hold is given up";
            case 3 ->
                early + ", and " + givenUp + ": make room"
                        + (consumerAtFault ? ", and mend the consumer or take it out of the configuration" : "");
            default -> "Pushes are answered 503, and " + givenUp + ": make room now";
        };
    }

    /** Tells the notice once more when it is time. */
    void remind() {
        if (System.nanoTime() - toldAt >= REMINDER_NANOS) {
            toldAt = System.nanoTime();
            if (toldStep < 3) {
                LOG.warn("{}", notice);
            } else {
                LOG.error("{}", notice);
            }
        }
    }

    void hasRoomAgain(long found) {
        notice = "";
        toldStep = 0;
        removed = 0;
        givenUp = NOTHING_YET;
        LOG.info("the disk has room again: {} free in {}", mib(found), config.directory());
    }

    /** Logs what is wrong, but not again while it is the same. */
    void complain(String what) {
        if (!what.equals(complaint)) {
            LOG.warn("{}", what);
        }
        complaint = what;
    }

    /** What was complained of is over: the same is told anew. */
    void nothingToComplainOf() {
        complaint = "";
    }

    static String mib(long bytes) {
        return (bytes >> 20) + "MiB";
    }
}
