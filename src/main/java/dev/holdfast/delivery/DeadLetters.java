package dev.holdfast.delivery;

import dev.holdfast.journal.DeadLetter;
import dev.holdfast.journal.DeadLetterFilter;
import dev.holdfast.journal.Journal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks through the dead letters and gives them up. Every method blocks; any thread that may. */
final class DeadLetters {
    private static final Logger LOG = LoggerFactory.getLogger(DeadLetters.class);
    private static final int PAGE = 256;

    private final Journal journal;

    DeadLetters(Journal journal) {
        this.journal = journal;
    }

    /** From a place on, in the order of consumer and position, as many as match, at most {@code max}. */
    List<DeadLetter> list(DeadLetterFilter filter, String consumer, long seq, int max) {
        List<DeadLetter> found = new ArrayList<>();
        walk(filter, consumer, seq, letter -> found.add(letter) && found.size() < max);
        return found;
    }

    long count(DeadLetterFilter filter) {
        long[] count = {0};
        walk(filter, "", 0, letter -> ++count[0] > 0);
        return count[0];
    }

    /** Returns how many there were. Those that are {@code kept} stay. */
    long discard(DeadLetterFilter filter, String reason, Predicate<DeadLetter> kept) {
        long[] count = {0};
        List<CompletableFuture<Void>> removals = new ArrayList<>();
        walk(filter, "", 0, letter -> {
            if (!kept.test(letter)) {
                removals.add(journal.removeDeadLetter(
                                letter.consumer(), letter.push().seq())
                        .toCompletableFuture());
                LOG.info("{}: dead letter of {} discarded: {}", letter.consumer(), letter.push(), reason);
                count[0]++;
            }
            if (removals.size() >= PAGE) {
                removals.forEach(CompletableFuture::join);
                removals.clear();
            }
            return true;
        });
        removals.forEach(CompletableFuture::join);
        return count[0];
    }

    private void walk(DeadLetterFilter filter, String consumer, long seq, Predicate<DeadLetter> more) {
        String nextConsumer = consumer.isEmpty() && filter.consumer() != null ? filter.consumer() : consumer;
        long nextSeq = consumer.isEmpty() && filter.consumer() != null ? filter.from() : seq;
        while (true) {
            List<DeadLetter> page = journal.deadLetters(nextConsumer, nextSeq, PAGE);
            for (DeadLetter letter : page) {
                if (filter.matches(letter) && !more.test(letter)) {
                    return;
                }
            }
            if (page.isEmpty()) {
                return;
            }
            DeadLetter last = page.get(page.size() - 1);
            if (filter.consumer() != null && filter.consumer().compareTo(last.consumer()) < 0) {
                return;
            }
            nextConsumer = last.consumer();
            nextSeq = last.push().seq() + 1;
        }
    }
}
