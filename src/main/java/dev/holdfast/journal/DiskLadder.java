package dev.holdfast.journal;

import dev.holdfast.config.ByteSize;
import dev.holdfast.config.JournalConfig;
import dev.holdfast.config.TimeSpan;
import dev.holdfast.disk.SetAside;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.File;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
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
 * Each step goes only as far as it must. It is left as soon as an eighth of the reserve more than that is free again, and what
 * is set aside is then made again. A thread of its own, {@code disk-ladder}, looks at the disk five times a second.
 */
public final class DiskLadder implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DiskLadder.class);
    /** What is known of a disk that doesn't say how much of it is free. */
    static final long UNKNOWN = -1;

    private static final long LOOK_MILLIS = 200;
    private static final long REMINDER_NANOS = TimeUnit.MINUTES.toNanos(1);
    /** Others' reading, and the consumers' last calls, are waited for. */
    private static final long GIVING_UP_SECONDS = 60;

    private static final long CLOSE_SECONDS = 10;
    private static final int LOW_PART = 4;
    private static final int MARGIN_PART = 8;
    /** Of what is set aside, at one look. */
    private static final long MADE_AT_ONCE = 4L << 20;

    private final Journal journal;
    private final JournalConfig config;
    private final Backlogs backlogs;
    private final Retention retention;
    private final SetAside setAside;
    private final LongSupplier free;
    private final Clock clock;
    private final LadderMeters meters;
    private final long low;
    private final long enough;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread named = new Thread(task, "disk-ladder");
        named.setDaemon(true);
        return named;
    });
    private volatile int step;
    private volatile String notice = "";
    /** All below of the ladder's thread. */
    private long removedEarly;

    private String givenUp = "";
    private long toldAt;
    private String complaint = "";

    public DiskLadder(Journal journal, JournalConfig config, Backlogs backlogs, MeterRegistry registry, Clock clock) {
        this(
                journal,
                config,
                backlogs,
                registry,
                clock,
                () -> freeIn(config.directory().toFile()));
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
        this.retention = new Retention(journal, config, this::neededFrom, clock);
        this.setAside = setAside(config);
        this.free = free;
        this.clock = clock;
        this.low = config.reserve() / LOW_PART;
        this.enough = config.reserve() + config.reserve() / MARGIN_PART;
        this.meters = new LadderMeters(registry, config.reserve(), free, () -> step, setAside::size);
    }

    private static long freeIn(File directory) {
        long free = directory.getUsableSpace();
        // Nothing is said of a disk that can't be asked but zeros.
        return free > 0 || directory.getTotalSpace() > 0 ? free : UNKNOWN;
    }

    private static SetAside setAside(JournalConfig config) {
        return new SetAside(config.directory().resolve("set-aside"), config.reserve() == 0 ? 0 : config.setAside());
    }

    /** The second step alone, for a start that a full disk keeps from coming so far that there is a ladder. */
    public static void makeRoom(JournalConfig config) {
        SetAside setAside = setAside(config);
        long found = freeIn(config.directory().toFile());
        if (found != UNKNOWN && found < config.reserve() / LOW_PART && setAside.size() > 0) {
            try {
                LOG.warn(
                        "the disk is full: {} that were set aside are given up for the start", mib(setAside.release()));
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
        return found == UNKNOWN ? step == 0 : found >= (step == 0 ? config.reserve() : enough);
    }

    /** How it stands. Asks the disk: blocks. Any thread. */
    public DiskState state() {
        long size = config.directory().toFile().getTotalSpace();
        return new DiskState(free.getAsLong(), size, config.reserve(), setAside.size(), step);
    }

    /** What an operator should know of; empty: nothing. Any thread. */
    public String notice() {
        return notice;
    }

    private long neededFrom() {
        return backlogs.backlogs().stream()
                .mapToLong(Backlogs.Backlog::from)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    private void lookWhateverHappens() {
        try {
            look();
        } catch (RuntimeException e) {
            complain("the disk can't be looked after: " + e);
        }
    }

    void look() {
        long found = free.getAsLong();
        if (found == UNKNOWN) {
            complain("nobody knows how much of the disk is free in " + config.directory());
        } else if (found >= enough) {
            climbDown(found);
        } else if (found < config.reserve() || step > 0) {
            climb(found);
        }
    }

    private void climb(long found) {
        int before = step;
        long gone = retention.removeEarly(enough - found);
        removedEarly += gone;
        meters.removedEarly(gone);
        long left = free.getAsLong();
        if (left == UNKNOWN || (before == 0 && left >= enough)) {
            meters.reached(1);
            LOG.warn(
                    "a disk that fills: found {} free in {}, expected {} (journal.reserve): {} that every consumer has"
                            + " had were removed early; make room, or lower journal.max-size",
                    mib(found),
                    config.directory(),
                    ByteSize.show(config.reserve()),
                    mib(gone));
            removedEarly = 0;
            return;
        }
        reach(Math.max(1, before), left);
        if (left < low) {
            if (before < 2) {
                release();
                reach(2, left);
            } else {
                giveUp(low + enough - config.reserve() - left);
                reach(journal.writable() ? 3 : 4, left);
            }
        } else if (before == 4 && journal.writable()) {
            reach(3, left);
        }
        remind();
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
        List<Backlogs.Backlog> needed = backlogs.backlogs();
        long below = retention.filesBelow(mayGoBelow(needed), bytes);
        if (below <= journal.firstSeq()) {
            givenUp = "nothing more can be given up: " + whatHolds(needed);
            return;
        }
        try {
            backlogs.giveUp(below).toCompletableFuture().get(GIVING_UP_SECONDS, TimeUnit.SECONDS);
            meters.removedEarly(retention.removeEarly(bytes));
            toldAt = System.nanoTime() - REMINDER_NANOS;
            givenUp = "pushes before " + below
                    + " are given up for those who have not had them for longer than their hold:"
                    + " the ledger has counts and positions";
        } catch (ExecutionException | TimeoutException e) {
            complain("what is older than its hold can't be given up, and is tried again: " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private long mayGoBelow(List<Backlogs.Backlog> needed) {
        long below = journal.lastSeq() + 1;
        for (Backlogs.Backlog backlog : needed) {
            if (backlog.from() < below) {
                below = Math.min(below, mayGoBelow(backlog));
            }
        }
        return below;
    }

    private long mayGoBelow(Backlogs.Backlog backlog) {
        long young = retention.firstSince(clock.millis() - backlog.hold().toMillis());
        return Math.max(backlog.from(), young);
    }

    private String whatHolds(List<Backlogs.Backlog> needed) {
        List<Journal.Extent> files = journal.extents();
        return needed.stream()
                .filter(backlog ->
                        files.size() > 1 && mayGoBelow(backlog) < files.get(1).firstSeq())
                .map(backlog -> backlog.name() + " needs pushes from " + backlog.from()
                        + " on, which are younger than its hold of " + TimeSpan.show(backlog.hold()))
                .findFirst()
                .orElse("the journal's " + mib(journal.size()) + " lie in the file that is being written to");
    }

    private void reach(int reached, long left) {
        String told = "step " + reached + " of 4 on a disk that fills: found " + mib(left) + " free in "
                + config.directory() + ", expected " + ByteSize.show(config.reserve()) + " (journal.reserve). "
                + doneAndToDo(reached);
        notice = told;
        for (int next = step + 1; next <= reached; next++) {
            meters.reached(next);
        }
        if (step != reached) {
            step = reached;
            toldAt = System.nanoTime() - REMINDER_NANOS;
            remind();
        }
    }

    private String doneAndToDo(int reached) {
        String early = "What every consumer has had is removed early (" + mib(removedEarly)
                + " so far), readiness is red," + " pushes are accepted";
        return switch (reached) {
            case 1 -> early + ": make room, or lower journal.max-size";
            case 2 ->
                early
                        + ", and what was set aside is given up: make room now. Next, what consumers have not had for"
                        + " longer than their hold is given up";
            case 3 ->
                early + ", and " + givenUp + ": make room, and mend the consumer or take it out of the configuration";
            default -> "Pushes are answered 503, and " + givenUp + ": make room now";
        };
    }

    /** Says where it stands, at each step and then once a minute. */
    private void remind() {
        if (System.nanoTime() - toldAt >= REMINDER_NANOS) {
            toldAt = System.nanoTime();
            if (step < 3) {
                LOG.warn("{}", notice);
            } else {
                LOG.error("{}", notice);
            }
        }
    }

    private void climbDown(long found) {
        if (step > 0) {
            step = 0;
            notice = "";
            removedEarly = 0;
            givenUp = "";
            LOG.info("the disk has room again: {} free in {}, readiness is green", mib(found), config.directory());
        }
        long missing = setAside.missing();
        if (missing != 0 && found - missing < enough) {
            complain("journal.set-aside is not in force: there is less than " + mib(enough + missing) + " free in "
                    + config.directory() + ", which setting aside " + mib(missing) + " takes");
        } else if (missing != 0) {
            make();
        }
    }

    private void make() {
        try {
            setAside.make(MADE_AT_ONCE);
            complaint = "";
        } catch (IOException e) {
            complain("nothing more can be set aside: " + e);
        }
    }

    /** Once, as long as it is the same. */
    private void complain(String what) {
        if (!what.equals(complaint) && !thread.isShutdown()) {
            LOG.warn("{}", what);
        }
        complaint = what;
    }

    private static String mib(long bytes) {
        return (bytes >> 20) + "MiB";
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
