package dev.holdfast.delivery;

import dev.holdfast.push.PushRecord;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The pushes of one consumer that are in memory and not all handled, in {@code seq} order: what bounds its memory, and what
 * tells how far its cursor may go.
 */
final class Window {
    private static final int MAX_PUSHES = 4096;
    private static final long MAX_BYTES = 16L * 1024 * 1024;

    private final Deque<Item> items = new ArrayDeque<>();
    private long seen;
    private long bytes;
    private long passed;

    /** @param cursor everything up to here was handled */
    Window(long cursor) {
        this.seen = cursor;
    }

    boolean hasRoom() {
        return items.size() < MAX_PUSHES && bytes < MAX_BYTES;
    }

    /** Position after the last one seen. */
    long next() {
        return seen + 1;
    }

    /** Takes in a push that the consumer is to handle. */
    Item add(PushRecord push) {
        Item item = new Item(push);
        items.add(item);
        bytes += push.body().length;
        seen = push.seq();
        return item;
    }

    /** There is nothing for the consumer up to {@code seq}. */
    void skipTo(long seq) {
        seen = seq;
    }

    void handled(Item item) {
        item.handled();
        while (!items.isEmpty() && items.getFirst().isHandled()) {
            bytes -= items.removeFirst().push().body().length;
            passed++;
        }
    }

    /** Everything up to here was handled or not meant for the consumer. */
    long cursor() {
        return items.isEmpty() ? seen : items.getFirst().push().seq() - 1;
    }

    /** How many handled pushes lie below the cursor, ever. */
    long passedCount() {
        return passed;
    }
}
