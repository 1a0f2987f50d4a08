package dev.holdfast.journal;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What can be said in memory of the digests that only the store holds. It covers the positions from some one on; of those
 * before, and while they are being looked through after an opening, it knows nothing. Added to by one thread, asked by
 * another one.
 */
final class DigestFilters {
    /** Of the newest sixteen million pushes; what is older is looked up in the store. */
    private static final int MOST = 4;

    private volatile List<DigestFilter> filters = List.of();
    /** Every digest in the store from this position on is in a filter. */
    private volatile long coveredFrom;

    private volatile long addedTo;

    private @Nullable DigestFilter newer;
    private @Nullable DigestFilter older;

    /** @param coveredFrom where those begin that are yet to be added; the store holds others before */
    DigestFilters(long coveredFrom) {
        this.coveredFrom = coveredFrom;
        this.addedTo = coveredFrom - 1;
    }

    /** Whether the store may hold this digest for a position from {@code firstSeq} on. */
    boolean mayHold(long digest, long firstSeq) {
        if (coveredFrom > firstSeq) {
            return true;
        }
        for (DigestFilter filter : filters) {
            if (filter.mayHold(digest)) {
                return true;
            }
        }
        // Meanwhile the oldest filter may have gone.
        return coveredFrom > firstSeq;
    }

    /** Where those begin that are covered. */
    long coveredFrom() {
        return coveredFrom;
    }

    /** Whether older ones may still be added: not when that would cost newer ones. */
    boolean takesOlder() {
        return filters.size() < MOST;
    }

    /** Up to where newer ones were added. */
    long addedTo() {
        return addedTo;
    }

    /** Digests behind all that were added, of all pushes up to {@code upTo}. */
    void addNewer(DigestList digests, long upTo) {
        for (int i = 0; i < digests.count(); i++) {
            if (newer == null || newer.isFull()) {
                newer = with(new DigestFilter());
            }
            newer.add(digests.digests()[i], digests.seqs()[i]);
        }
        addedTo = upTo;
    }

    /** All the digests of positions from {@code fromSeq} on, up to those that are covered already; if {@link #takesOlder}. */
    void addOlder(DigestList digests, long fromSeq) {
        for (int i = 0; i < digests.count(); i++) {
            if (older == null || older.isFull()) {
                older = with(new DigestFilter());
            }
            older.add(digests.digests()[i], digests.seqs()[i]);
        }
        coveredFrom = Math.min(coveredFrom, fromSeq);
    }

    /** Those of positions below are not needed any more. */
    void removeBelow(long seq) {
        List<DigestFilter> kept =
                filters.stream().filter(filter -> filter.lastSeq() >= seq).toList();
        filters = kept;
        // What is added from now on goes where somebody asks.
        newer = kept.contains(newer) ? newer : null;
        older = kept.contains(older) ? older : null;
    }

    private DigestFilter with(DigestFilter added) {
        List<DigestFilter> all = new ArrayList<>(filters);
        if (all.size() >= MOST) {
            DigestFilter oldest = all.stream()
                    .min((one, other) -> Long.compare(one.lastSeq(), other.lastSeq()))
                    .orElseThrow();
            all.remove(oldest);
            coveredFrom = Math.max(coveredFrom, oldest.lastSeq() + 1);
        }
        all.add(added);
        filters = List.copyOf(all);
        return added;
    }
}
