package dev.holdfast.quarantine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What of the quarantine's files was found damaged: each is counted and told once. Any thread. */
final class QuarantineDamage {
    private static final Logger LOG = LoggerFactory.getLogger(QuarantineDamage.class);
    private static final String ENDS = "some of its files are damaged, and what is whole there is kept";
    private static final String REQUESTS = "some of its requests are damaged, and passed over";
    private static final String FILES = "some of its files can't be read, and are passed over";

    private final QuarantineMeters meters;
    private final Set<Object> known = ConcurrentHashMap.newKeySet();
    private final Set<String> notices = new CopyOnWriteArraySet<>();

    QuarantineDamage(QuarantineMeters meters) {
        this.meters = meters;
    }

    /** Something else than requests lies at the end of a file. */
    void end(QuarantineFile file) {
        if (isNew(ENDS, file.path())) {
            LOG.error(
                    "{} is damaged: found {} bytes that are no request behind the first {}, which are kept",
                    file.path(),
                    file.damaged(),
                    file.count());
        }
    }

    /** The bytes of a request were found to be wrong. */
    void request(Path file, long id) {
        if (isNew(REQUESTS, id) && known.add(REQUESTS)) {
            LOG.error("{} is damaged at request {}: requests that are damaged are skipped", file, id);
        }
    }

    /** A file can't be read, or not to its end. */
    void unreadable(Path file, IOException cause) {
        if (isNew(FILES, file)) {
            LOG.error("{} can't be read: {}; what follows that place is skipped", file, cause.toString());
        }
    }

    private boolean isNew(String notice, Object where) {
        notices.add(notice);
        boolean isNew = known.add(List.of(notice, where));
        if (isNew) {
            meters.damaged.increment();
        }
        return isNew;
    }

    /** In words; empty: there is none. */
    String text() {
        return String.join("; ", notices);
    }
}
