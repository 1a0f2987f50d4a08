package dev.holdfast.consumer;

import dev.holdfast.push.Push;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A consumer's acknowledgement of a {@link PushBatch}. It names the pushes that it speaks of: one that names others than were
 * sent, or names them in another order, is not believed.
 *
 * @param handled the positions of those that were handled, from the batch's first one on; fewer than there were, without a
 *     failure, when the consumer gave the rest back to be sent again
 * @param failed the one after them; null when none failed
 */
public record Receipt(List<Long> handled, @Nullable Failed failed) {
    /**
     * A push that was not handled.
     *
     * @param seq its position
     * @param cause why it was not
     */
    public record Failed(long seq, Throwable cause) {}

    public Receipt {
        handled = List.copyOf(handled);
    }

    /**
     * @param handled how many of the pushes were
     * @param failure why the one after them was not; null when none failed
     */
    static Receipt of(List<Push> pushes, int handled, @Nullable Throwable failure) {
        return new Receipt(
                pushes.subList(0, handled).stream().map(Push::seq).toList(),
                failure == null ? null : new Failed(pushes.get(handled).seq(), failure));
    }
}
