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
    /** When the consumer's present call began, by {@link System#nanoTime}. */
    private volatile long calledAt;

    private volatile boolean ended;

    /** @param pushes at least one */
    public PushBatch(List<Push> pushes) {
        this.pushes = List.copyOf(pushes);
    }

    /** The pushes; none if the batch was withdrawn before anything of it was begun. */
    public List<Push> pushes() {
        return pushes;
    }

    /**
     * Withdraws what was not begun: it must not be begun any more, since it comes again in another batch. Any thread.
     *
     * @return whether nothing of it had been begun, however often it is withdrawn
     */
    public boolean withdraw() {
        if (state.getAndSet(State.WITHDRAWN) == State.SENT) {
            // Lets go of the pushes: the message may wait for long if the consumer's thread is blocked.
            pushes = List.of();
        }
        return pushes.isEmpty();
    }

    /** Whether the consumer has begun it, and its present call has lasted for this long. Any thread. */
    public boolean isStuck(long nanos) {
        return state.get() == State.BEGUN && System.nanoTime() - calledAt > nanos;
    }

    /** Notes that the consumer begins the next push; false if the batch was withdrawn. */
    boolean begin() {
        calls();
        return state.compareAndSet(State.SENT, State.BEGUN) || state.get() == State.BEGUN;
    }

    /** Whether the consumer is done with it, so that nothing of it occupies its thread. Any thread. */
    public boolean hasEnded() {
        return ended;
    }

    void end() {
        ended = true;
    }

    /** Notes that the consumer is called once more. */
    void calls() {
        calledAt = System.nanoTime();
    }
}
