package dev.holdfast.consumer;

import dev.holdfast.push.Push;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What the delivery sends to a consumer's address: pushes of one lane, to be handled one after the other in this order.
 * The reply is a {@link Receipt}.
 */
public final class PushBatch {
    private enum State {
        SENT,
        BEGUN,
        WITHDRAWN
    }

    private volatile List<Push> pushes;
    private final AtomicReference<State> state = new AtomicReference<>(State.SENT);
    /** When the consumer was last called for it. */
    private volatile long calledAt;

    private volatile boolean ended;

    /** @param pushes at least one */
    public PushBatch(List<Push> pushes) {
        this.pushes = List.copyOf(pushes);
    }

    /** None when it was withdrawn before anything of it was begun. */
    public List<Push> pushes() {
        return pushes;
    }

    /**
     * What was not begun must not be any more, for it comes again in another batch. Any thread.
     *
     * @return whether nothing of it had been begun, however often it is withdrawn
     */
    public boolean withdraw() {
        if (state.getAndSet(State.WITHDRAWN) == State.SENT) {
            // The message may wait for long where the consumer's thread is blocked.
            pushes = List.of();
        }
        return pushes.isEmpty();
    }

    /** Whether the consumer has begun it, and its present call has lasted for so long. Any thread. */
    public boolean isStuck(long nanos) {
        return state.get() == State.BEGUN && System.nanoTime() - calledAt > nanos;
    }

    /** The consumer goes on with the next push; false when the batch was withdrawn. */
    boolean begin() {
        calls();
        return state.compareAndSet(State.SENT, State.BEGUN) || state.get() == State.BEGUN;
    }

    /** Whether the consumer is through with it, and nothing of it keeps its thread. Any thread. */
    public boolean hasEnded() {
        return ended;
    }

    void end() {
        ended = true;
    }

    /** The consumer is called once more. */
    void calls() {
        calledAt = System.nanoTime();
    }
}
