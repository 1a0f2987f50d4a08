package dev.holdfast.store;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the quarantine's files beside the thread that changes them, and knows what was found damaged. Any thread. */
final class QuarantineReader {
    private static final Logger LOG = LoggerFactory.getLogger(QuarantineReader.class);

    private final QuarantineFiles files;
    private final QuarantineMeters meters;
    /** Identifiers of those whose bytes are wrong, each told once. */
    private final Set<Long> broken = ConcurrentHashMap.newKeySet();

    private volatile String damage = "";

    QuarantineReader(QuarantineFiles files, QuarantineMeters meters) {
        this.files = files;
        this.meters = meters;
    }

    /** See {@link Quarantine#walk}. */
    void walk(QuarantineFilter filter, Predicate<QuarantinedRequest> more) {
        long cutoff = files.cutoff();
        NavigableMap<Long, QuarantineFile> all = files.all();
        Long first = all.floorKey(filter.from());
        NavigableMap<Long, QuarantineFile> wanted = first == null ? all : all.tailMap(first, true);
        try {
            for (QuarantineFile file : List.copyOf(wanted.values())) {
                if (file.firstId() > filter.to() || !walk(file, filter, cutoff, more)) {
                    return;
                }
            }
        } catch (IOException e) {
            throw new StoreException("can't read the quarantine: " + e, e);
        }
    }

    /** See {@link Quarantine#newest}. A file is read forwards, so the last ones that match are kept on the way. */
    <T> List<T> newest(QuarantineFilter filter, int max, Function<QuarantinedRequest, T> part) {
        long cutoff = files.cutoff();
        List<T> found = new ArrayList<>();
        try {
            for (QuarantineFile file : List.copyOf(
                    files.all().headMap(filter.to(), true).descendingMap().values())) {
                if (found.size() >= max || file.lastId() < filter.from()) {
                    break;
                }
                Deque<T> last = new ArrayDeque<>();
                int room = max - found.size();
                walk(file, filter, cutoff, request -> {
                    if (last.size() == room) {
                        last.removeFirst();
                    }
                    return last.add(part.apply(request));
                });
                last.descendingIterator().forEachRemaining(found::add);
            }
        } catch (IOException e) {
            throw new StoreException("can't read the quarantine: " + e, e);
        }
        return found;
    }

    private boolean walk(QuarantineFile file, QuarantineFilter filter, long cutoff, Predicate<QuarantinedRequest> more)
            throws IOException {
        try {
            return file.read(
                    (id, receivedAt) -> receivedAt >= cutoff && filter.mayMatch(id, receivedAt),
                    id -> damaged(file, id),
                    request -> !filter.matches(request) || more.test(request));
        } catch (NoSuchFileException e) {
            // Its time has come meanwhile, or somebody else has taken it.
            return true;
        }
    }

    private void damaged(QuarantineFile file, long id) {
        if (!broken.add(id)) {
            return;
        }
        meters.damaged.increment();
        if (damage.isEmpty()) {
            damage = "some of its requests are damaged, and passed over";
            LOG.error("{} is damaged at request {}, which is passed over as are others like it", file.path(), id);
        }
    }

    /** What was found damaged at the opening; empty: nothing. */
    void found(String damaged) {
        damage = damaged;
    }

    /** What an operator should know of; empty: nothing. */
    String notice() {
        return damage.isEmpty() ? "" : "the quarantine: " + damage;
    }
}
