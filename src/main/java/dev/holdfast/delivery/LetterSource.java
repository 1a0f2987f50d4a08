package dev.holdfast.delivery;

import dev.holdfast.push.PushRecord;
import dev.holdfast.store.DeadLetter;
import dev.holdfast.store.DeadLetters;
import java.util.List;

/** The pushes of one consumer's dead letters. */
record LetterSource(DeadLetters letters, String consumer) implements Way.Source {
    @Override
    public List<PushRecord> read(long from, int maxPushes, long maxBytes) {
        return letters.list(consumer, from, maxPushes).stream()
                .filter(letter -> letter.consumer().equals(consumer))
                .map(DeadLetter::push)
                .toList();
    }
}
