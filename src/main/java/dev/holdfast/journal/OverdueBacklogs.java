package dev.holdfast.journal;

import dev.holdfast.config.TimeSpan;
import dev.holdfast.journal.Backlogs.Backlog;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/**
 * What may be given up for those who have not had it: what is older than the hold of each of them who needs it. By a thread that
 * may block.
 */
final class OverdueBacklogs {
    private final Journal journal;
    private final Backlogs backlogs;
    private final Retention retention;
    private final Clock clock;

    OverdueBacklogs(Journal journal, Backlogs backlogs, Retention retention, Clock clock) {
        this.journal = journal;
        this.backlogs = backlogs;
        this.retention = retention;
        this.clock = clock;
    }

    /** Pushes before this position nobody needs any more, or has had time for. */
    long below() {
        long below = journal.lastSeq() + 1;
        for (Backlog backlog : backlogs.backlogs()) {
            if (backlog.from() < below) {
                below = Math.min(below, below(backlog));
            }
        }
        return below;
    }

    private long below(Backlog backlog) {
        long young = retention.wholeBefore(clock.millis() - backlog.hold().toMillis());
        return Math.max(backlog.from(), young);
    }

    /** Who needs the journal's first file, so that not even that may be given up, and why; empty when it is the only one. */
    Optional<String> whatHolds() {
        List<Journal.Extent> files = journal.extents();
        return backlogs.backlogs().stream()
                .filter(backlog ->
                        files.size() > 1 && below(backlog) < files.get(1).firstSeq())
                .map(backlog -> backlog.name() + " needs pushes from " + backlog.from()
                        + " on, which are younger than its hold of " + TimeSpan.show(backlog.hold()))
                .findFirst();
    }
}
