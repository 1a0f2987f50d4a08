package dev.holdfast.process;

import dev.holdfast.journal.Journal;
import dev.holdfast.journal.LogWithoutStore;
import dev.holdfast.push.PushRecord;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A push as a stopped gateway's journal holds it. */
record KeptPush(long seq, BodyDigest digest) {
    private static final int PUSHES = 1000;
    private static final long BYTES = 8L << 20;

    /** Everything in the journal, read with the gateway out of the way. */
    static List<KeptPush> all(Path journalDirectory) {
        List<KeptPush> kept = new ArrayList<>();
        try (Journal journal = LogWithoutStore.open(journalDirectory)) {
            long next = journal.firstSeq();
            for (List<PushRecord> some = journal.read(next, PUSHES, BYTES);
                    !some.isEmpty();
                    some = journal.read(next, PUSHES, BYTES)) {
                some.forEach(push -> kept.add(new KeptPush(push.seq(), BodyDigest.of(push.body()))));
                next = some.get(some.size() - 1).seq() + 1;
            }
        }
        return kept;
    }
}
