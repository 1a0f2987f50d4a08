package dev.holdfast.journal;

import dev.holdfast.config.JournalConfig;
import dev.holdfast.disk.FreeSpace;
import dev.holdfast.disk.SetAside;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is given up, step by step, so that pushes are accepted while the disk fills, the least loss first:
 *
 * <pre>
 * 1  less is free than the reserve            the oldest pushes that every consumer has had go early; readiness is red
 * 2  less is free than a quarter of it        what is set aside is given up
 * 3  the same again, at the next look         what consumers have not had for longer than their hold is given up for them
 * 4  the journal can't be written             pushes are answered 503
 * </pre>
 *
 * Each step goes only as far as it must. The last one is left for the third when the journal could be written for five seconds. All are left as soon as the reserve and an eighth of it are free again, and what is set
 * aside is then made again. A thread of its own, {@code disk-ladder}, looks at the disk five times a second.
 */
public final class DiskLadder implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DiskLadder.class);
    private static final long LOOK_MILLIS = 200;
    /** Others' reading, and the consumers' last calls, are waited for. */
    private static final long GIVING_UP_SECONDS = 60;

    private static final long CLOSE_SECONDS = 10;
    private static final int LOW_PART = 4;
    private static final int MARGIN_PART = 8;
    /** The last step is left when the journal could be written at so many looks in a row: at some, a segment's header finds room. */
    static final int WRITABLE_LOOKS = 25;

    /** Bytes that are set aside at one look. */
    private static final long MADE_AT_ONCE = 4L << 20;

    private final Journal journal;
    private final JournalConfig config;
    private final Backlogs backlogs;
    private final Retention retention;
    private final SetAside setAside;
    private final LongSupplier free;
    private final LadderMeters meters;
    private final LadderLog log;
    private final long low;
    private final long enough;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread named = new Thread(task, "disk-ladder");
        named.setDaemon(true);
        return named;
    });
    private volatile int step;
    /** So often in a row the journal could be written. */
    private int writable;

    public DiskLadder(Journal journal, JournalConfig config, Backlogs backlogs, MeterRegistry registry, Clock clock) {
        this(journal, config, backlogs, registry, clock, freeIn(config.directory()));
    }

    /** With another disk: the seam for tests. */
    DiskLadder(
            Journal journal,
            JournalConfig config,
            Backlogs backlogs,
            MeterRegistry registry,
            Clock clock,
            LongSupplier free) {
        this.journal = journal;
        this.config = config;
        this.backlogs = backlogs;
        this.retention = new Retention(journal, config, backlogs, clock);
        this.setAside = setAside(config);
        this.free = free;
        this.low = config.reserve() / LOW_PART;
        this.enough = config.reserve() + config.reserve() / MARGIN_PART;
        this.log = new LadderLog(config);
        this.meters = new LadderMeters(registry, config.reserve(), free, () -> step, setAside::size);
    }

    private static LongSupplier freeIn(Path directory) {
        try {
            return FreeSpace.around(directory)::bytes;
        } catch (IOException e) {
            throw new JournalException("can't look at " + directory + ": " + e, e);
        }
    }

    private static SetAside setAside(JournalConfig config) {
        return new SetAside(config.directory().resolve("set-aside"), config.reserve() == 0 ? 0 : config.setAside());
    }

    /** The second step alone, for a start that a full disk keeps from coming so far that there is a ladder. */
    public static void makeRoom(JournalConfig config) {
        SetAside setAside = setAside(config);
        long found = FreeSpace.bytes(config.directory());
        if (found != FreeSpace.UNKNOWN && found < config.reserve() / LOW_PART && setAside.size() > 0) {
            try {
                LOG.warn(
                        "the disk is full: {} that were set aside are given up for the start",
                        LadderLog.mib(setAside.release()));
            } catch (IOException e) {
                LOG.warn("what was set aside can't be given up: {}", e.toString());
            }
        }
    }

    /** Begins to look at the disk. */
    public void start() {
        var unused = thread.scheduleWithFixedDelay(this::lookWhateverHappens, 0, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Whether there is so much room that pushes are welcome. Any thread. */
    public boolean hasSpace() {
        long found = free.getAsLong();
        return found == FreeSpace.UNKNOWN ? step == 0 : found >= (step == 0 ? config.reserve() : enough);
    }

    /** How it stands. Asks the disk: blocks. Any thread. */
    public DiskState state() {
        long size = config.directory().toFile().getTotalSpace();
        return new DiskState(free.getAsLong(), size, config.reserve(), setAside.size(), step);
    }

    /** What an operator should know of; empty: nothing. Any thread. */
    public String notice() {
        String filling = free.getAsLong() == FreeSpace.UNKNOWN ? unknown() : log.notice();
        return filling.isEmpty() ? journal.notice() : filling;
    }

    private void lookWhateverHappens() {
        try {
            lookOrComplain();
        } catch (OutOfMemoryError | LinkageError e) {
            // Not logged, which takes memory too, and not thrown: this would be the last look.
        }
    }

    private void lookOrComplain() {
        try {
            look();
        } catch (RuntimeException e) {
            complain("the disk can't be looked after: " + e);
        }
    }

    void look() {
        long found = free.getAsLong();
        if (found == FreeSpace.UNKNOWN) {
            complain(unknown());
        } else if (found >= enough) {
            climbDown(found);
        } else if (found < config.reserve() || step > 0) {
            climb(found);
        }
    }

    private String unknown() {
        return "nobody knows how much of the disk is free in " + config.directory();
    }

    private void climb(long found) {
        int before = step;
        long gone = retention.removeEarly(enough - found);
        meters.removedEarly(gone);
        log.removed(gone);
        long left = free.getAsLong();
        if (left == FreeSpace.UNKNOWN || (before == 0 && left >= enough)) {
            meters.reached(1);
            log.removedEnough(found);
            return;
        }
        reach(Math.max(1, before), left);
        if (left < low) {
            if (before < 2) {
                release();
                reach(2, left);
            } else {
                giveUp(low + enough - config.reserve() - left);
                writable = journal.writable() ? writable + 1 : 0;
                reach(writable >= (before == 4 ? WRITABLE_LOOKS : 1) ? 3 : 4, left);
            }
        } else if (before == 4 && journal.writable()) {
            reach(3, left);
        }
        log.remind();
    }

    private void release() {
        try {
            setAside.release();
        } catch (IOException e) {
            complain("what is set aside can't be given up: " + e);
        }
    }

    /** Oldest first, whole files, no more than so many bytes take, and only where that brings them. */
    private void giveUp(long bytes) {
        long below = retention.filesBelow(retention.overdueBelow(), bytes);
        if (below <= journal.firstSeq()) {
            log.nothingToGiveUp(retention.whatHolds(), journal.size());
            return;
        }
        try {
            backlogs.giveUp(below).toCompletableFuture().get(GIVING_UP_SECONDS, TimeUnit.SECONDS);
            meters.removedEarly(retention.removeEarly(bytes));
            log.gaveUp(below);
        } catch (ExecutionException | TimeoutException e) {
            complain("what is older than its hold can't be given up, and is tried again: " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void reach(int reached, long left) {
        for (int next = step + 1; next <= reached; next++) {
            meters.reached(next);
        }
        step = reached;
        log.stands(reached, left);
    }

    private void climbDown(long found) {
        if (step > 0) {
            step = 0;
            log.hasRoomAgain(found);
        }
        long missing = setAside.missing();
        if (missing != 0 && found - missing < enough) {
            complain("journal.set-aside is not in force: there is less than " + LadderLog.mib(enough + missing)
                    + " free in " + config.directory() + ", which setting aside " + LadderLog.mib(missing) + " takes");
        } else if (missing != 0) {
            make();
        }
    }

    private void make() {
        try {
            setAside.make(MADE_AT_ONCE);
            log.nothingToComplainOf();
        } catch (IOException e) {
            complain("nothing more can be set aside: " + e);
        }
    }

    private void complain(String what) {
        if (!thread.isShutdown()) {
            log.complain(what);
        }
    }

    /** Looks no more. Waits for the end of a look, but not for ever. */
    @Override
    public void close() {
        thread.shutdown();
        try {
            if (!thread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                thread.shutdownNow();
            }
        } catch (InterruptedException e) {
            thread.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
