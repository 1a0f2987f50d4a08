package dev.holdfast.delivery;

import dev.holdfast.journal.Journal;
import dev.holdfast.push.PushRecord;
import dev.holdfast.store.DeadLetter;
import dev.holdfast.store.DeadLetters;
import java.util.List;
import java.util.Optional;

/** Where pushes are read, in the order of their positions. Every method blocks. */
interface Source {
    /** From a position on; an empty answer means that there are no more. */
    List<PushRecord> read(long from, int maxPushes, long maxBytes);

    /** The push at a position, unless it is gone. */
    default Optional<PushRecord> get(long seq) {
        return read(seq, 1, 1).stream().filter(push -> push.seq() == seq).findFirst();
    }

    /** What is kept of the pushes that came in. */
    static Source of(Journal journal) {
        return new Source() {
            @Override
            public List<PushRecord> read(long from, int maxPushes, long maxBytes) {
                return journal.read(from, maxPushes, maxBytes);
            }

            @Override
            public Optional<PushRecord> get(long seq) {
                return journal.get(seq);
            }
        };
    }

    /** The pushes of one consumer's dead letters. */
    static Source of(DeadLetters letters, String consumer) {
        return (from, maxPushes, maxBytes) -> letters.list(consumer, from, maxPushes).stream()
                .filter(letter -> letter.consumer().equals(consumer))
                .map(DeadLetter::push)
                .toList();
    }
}
