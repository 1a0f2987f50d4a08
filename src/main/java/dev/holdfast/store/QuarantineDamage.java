package dev.holdfast.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What of the quarantine's files was found damaged: each is counted and told once. Any thread. */
final class QuarantineDamage {
    private static final Logger LOG = LoggerFactory.getLogger(QuarantineDamage.class);

    private final QuarantineMeters meters;
    /** Identifiers of requests whose bytes are wrong, and files that the disk doesn't give. */
    private final Set<Object> known = ConcurrentHashMap.newKeySet();

    private final Set<String> notices = new CopyOnWriteArraySet<>();

    QuarantineDamage(QuarantineMeters meters) {
        this.meters = meters;
    }

    /** How many of its files an opening has found damaged, and how many it could not read. */
    void found(int damaged, int aside) {
        notices.clear();
        if (damaged > 0) {
            notices.add(damaged + " of its files " + (damaged == 1 ? "was" : "were")
                    + " damaged, and what is whole there is kept");
        }
        if (aside > 0) {
            notices.add(aside + " of its files could not be read, and " + (aside == 1 ? "was" : "were") + " set aside");
        }
    }

    /** Something else than requests lies at the end of a file. */
    void end(QuarantineFile file) {
        meters.damaged.increment();
        LOG.error(
                "{} is damaged: found {} bytes that are no request behind the first {}, which are kept",
                file.path(),
                file.damaged(),
                file.count());
    }

    /** The bytes of a request were found to be wrong. */
    void request(Path file, long id) {
        if (known.add(id)) {
            meters.damaged.increment();
            if (notices.add("some of its requests are damaged, and passed over")) {
                LOG.error("{} is damaged at request {}, which is passed over as are others like it", file, id);
            }
        }
    }

    /** A file that was opened can't be read, or not to its end. */
    void unreadable(Path file, IOException cause) {
        if (known.add(file)) {
            notices.add("some of its files can't be read, and are passed over");
            unreadable(file, cause, "what lies behind that is passed over");
        }
    }

    /** @param then what becomes of it */
    void unreadable(Path file, IOException cause, String then) {
        meters.damaged.increment();
        LOG.error("{} can't be read: {}; {}", file, cause.toString(), then);
    }

    /** In words; empty: there is none. */
    String text() {
        return String.join("; ", notices);
    }
}
