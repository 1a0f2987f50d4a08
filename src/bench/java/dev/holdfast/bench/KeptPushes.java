package dev.holdfast.bench;

import dev.holdfast.journal.StoppedJournal;
import java.nio.file.Path;

/** What a gateway that has ended left on the disk. */
final class KeptPushes {
    private KeptPushes() {}

    /** Reads every record, with its checksum; how many there are. */
    static long count(Path data) {
        try (StoppedJournal journal = StoppedJournal.open(data)) {
            return journal.verify(0).pushes();
        }
    }
}
