package dev.holdfast.store;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/** Looks through the dead letters. Every method blocks; any thread that may. */
public final class DeadLetterSearch {
    private static final int PAGE = 256;

    private final DeadLetters letters;

    public DeadLetterSearch(DeadLetters letters) {
        this.letters = letters;
    }

    /**
     * Those that match, by consumer, each with the newest pushes first, at most {@code max}.
     *
     * @param consumer where to begin; empty: with the first
     * @param seq where to begin with that consumer
     * @param part what is wanted of each: a page of whole pushes may be larger than the memory
     */
    public <T> List<T> newest(
            DeadLetterFilter filter, String consumer, long seq, int max, Function<DeadLetter, T> part) {
        List<T> found = new ArrayList<>();
        for (String name : letters.consumers().tailSet(consumer)) {
            long next = Math.min(filter.to(), name.equals(consumer) ? seq : Long.MAX_VALUE);
            while (filter.mayHave(name) && next >= filter.from() && found.size() < max) {
                List<DeadLetter> page = letters.newest(name, next, PAGE);
                page.stream()
                        .filter(filter::matches)
                        .limit(max - found.size())
                        .forEach(letter -> found.add(part.apply(letter)));
                next = page.isEmpty() ? -1 : page.get(page.size() - 1).push().seq() - 1;
            }
        }
        return found;
    }

    /** How many match. */
    public long count(DeadLetterFilter filter) {
        long[] count = {0};
        walk(filter, letter -> ++count[0] > 0);
        return count[0];
    }

    /** Walks through those that match, by consumer and position, until {@code more} says no. */
    public void walk(DeadLetterFilter filter, Predicate<DeadLetter> more) {
        for (String name : letters.consumers()) {
            if (filter.mayHave(name) && !walk(name, filter, more)) {
                return;
            }
        }
    }

    private boolean walk(String consumer, DeadLetterFilter filter, Predicate<DeadLetter> more) {
        List<DeadLetter> page = letters.list(consumer, filter.from(), PAGE);
        while (!page.isEmpty()) {
            for (DeadLetter letter : page) {
                if (filter.matches(letter) && !more.test(letter)) {
                    return false;
                }
            }
            long last = page.get(page.size() - 1).push().seq();
            page = last < filter.to() ? letters.list(consumer, last + 1, PAGE) : List.of();
        }
        return true;
    }
}
