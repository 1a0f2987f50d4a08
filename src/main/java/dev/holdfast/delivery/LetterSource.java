package dev.holdfast.delivery;

import dev.holdfast.journal.DeadLetter;
import dev.holdfast.journal.Journal;
import dev.holdfast.push.PushRecord;
import java.util.List;

/** The pushes of one consumer's dead letters. */
record LetterSource(Journal journal, String consumer) implements Way.Source {
    @Override
    public List<PushRecord> read(long from, int maxPushes, long maxBytes) {
        return journal.deadLetters(consumer, from, maxPushes).stream()
                .filter(letter -> letter.consumer().equals(consumer))
                .map(DeadLetter::push)
                .toList();
    }
}
