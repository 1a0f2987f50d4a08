package dev.holdfast.consumer;

import dev.holdfast.push.Push;
import java.util.List;

/**
 * What the delivery sends to a consumer's address: pushes of one lane, to be handled one after the other in this order.
 * The reply is a {@link Receipt}.
 */
public final class PushBatch {
    private final List<Push> pushes;
    private volatile boolean withdrawn;
    private volatile boolean begun;

    /** @param pushes at least one */
    public PushBatch(List<Push> pushes) {
        this.pushes = List.copyOf(pushes);
    }

    public List<Push> pushes() {
        return pushes;
    }

    /** No receipt is awaited any more: what was not begun must not be, for it comes again in another batch. Any thread. */
    public void withdraw() {
        withdrawn = true;
    }

    /** The consumer has it, and does nothing else before. Any thread. */
    public void begin() {
        begun = true;
    }

    /** Whether the consumer has begun with it. */
    public boolean begun() {
        return begun;
    }

    /** Whether it was withdrawn. */
    public boolean withdrawn() {
        return withdrawn;
    }
}
