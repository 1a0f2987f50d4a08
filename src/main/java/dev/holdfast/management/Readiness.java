package dev.holdfast.management;

import dev.holdfast.journal.Journal;
import dev.holdfast.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Whether the gateway should get pushes. Any thread. */
public final class Readiness {
    private final Journal journal;
    private final Store store;
    private final BooleanSupplier hasSpace;
    private volatile boolean accepting;
    private volatile boolean draining;

    /** @param hasSpace whether the disk has enough room for pushes; asked on a worker thread */
    public Readiness(Journal journal, Store store, BooleanSupplier hasSpace) {
        this.journal = journal;
        this.store = store;
        this.hasSpace = hasSpace;
    }

    /**
     * All conditions. A crowded edge is only shown: it is no reason to take the gateway out of service.
     *
     * @param hasRoom whether there is room for bodies that come in
     */
    public List<Condition> conditions(BooleanSupplier hasRoom) {
        return List.of(
                new Condition("storage", true, journal::writable),
                new Condition("space", true, hasSpace),
                new Condition("accepting", true, () -> accepting && !draining),
                new Condition("room", false, hasRoom),
                new Condition("undamaged", false, () -> damage().isEmpty()));
    }

    /** What was found damaged, one line for each. It is only shown, since what can be read is served. */
    public List<String> damage() {
        List<String> damage = new ArrayList<>(journal.damage());
        String notice = store.notice();
        if (!notice.isEmpty()) {
            damage.add("the store: " + notice);
        }
        return damage;
    }

    /** Why nothing can be kept but pushes; empty: it can. */
    public String closedStore() {
        String because = store.closedBecause();
        return because.isEmpty() ? "" : "The store is not open: " + because;
    }

    /** Called when the port is open. */
    public void accept() {
        accepting = true;
    }

    /** Called when the gateway is about to stop; returns whether it has ever accepted pushes. */
    public boolean drain() {
        draining = true;
        return accepting;
    }
}
