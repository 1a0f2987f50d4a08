package dev.holdfast.management;

import dev.holdfast.journal.Journal;
import dev.holdfast.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Whether the gateway is to be sent pushes. Any thread. */
public final class Readiness {
    private final Journal journal;
    private final Store store;
    private final BooleanSupplier hasSpace;
    private volatile boolean accepting;
    private volatile boolean draining;

    /** @param hasSpace whether there is so much room on the disk that pushes are welcome; asked on a worker thread */
    public Readiness(Journal journal, Store store, BooleanSupplier hasSpace) {
        this.journal = journal;
        this.store = store;
        this.hasSpace = hasSpace;
    }

    /**
     * What has to hold, and what is only shown: that the edge is crowded is no reason to send pushes to nobody.
     *
     * @param hasRoom whether there is room for bodies that come in
     */
    public List<Condition> conditions(BooleanSupplier hasRoom) {
        return List.of(
                new Condition("storage", true, journal::writable),
                new Condition("space", true, hasSpace),
                new Condition("accepting", true, () -> accepting && !draining),
                new Condition("room", false, hasRoom),
                new Condition("undamaged", false, () -> notices().isEmpty()));
    }

    /** What was found damaged, a line each: what of it could be read is served, so it is shown only. */
    public List<String> notices() {
        List<String> notices = new ArrayList<>(journal.damage());
        String notice = store.notice();
        if (!notice.isEmpty()) {
            notices.add(notice);
        }
        return notices;
    }

    /** The port is open. */
    public void accept() {
        accepting = true;
    }

    /** The gateway is about to stop; whether it has ever accepted. */
    public boolean drain() {
        draining = true;
        return accepting;
    }
}
