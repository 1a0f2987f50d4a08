package dev.holdfast.consumer;

import dev.holdfast.push.Push;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A consumer's acknowledgement of a {@link PushBatch}. It names its pushes: if it names others than were sent, or in
 * another order, it is not believed.
 *
 * @param handled positions of the handled pushes, from the batch's first one on; if there are fewer than were sent and
 *     none failed, the consumer gave the rest back to be sent again
 * @param failed the push after these; null if none failed
 */
public record Receipt(List<Long> handled, @Nullable Failed failed) {
    /**
     * A push that was not handled, or several in a row whose commit failed, so that nobody knows which is the cause.
     *
     * @param seq position of the first of them
     * @param pushes how many they are
     * @param cause why they were not
     */
    public record Failed(long seq, int pushes, Throwable cause) {
        public Failed {
            if (pushes < 1) {
                throw new IllegalArgumentException("pushes: " + pushes + " (expected: at least 1)");
            }
        }

        /** One push. */
        public Failed(long seq, Throwable cause) {
            this(seq, 1, cause);
        }
    }

    public Receipt {
        handled = List.copyOf(handled);
    }

    /**
     * @param handled how many of the pushes were
     * @param failure why the push after these was not handled; null if none failed
     */
    static Receipt of(List<Push> pushes, int handled, @Nullable Throwable failure) {
        return new Receipt(
                pushes.subList(0, handled).stream().map(Push::seq).toList(),
                failure == null ? null : new Failed(pushes.get(handled).seq(), failure));
    }

    /** So many of the pushes were handled, and their commit failed. */
    static Receipt ofUncommitted(List<Push> pushes, int handled, Throwable failure) {
        return new Receipt(List.of(), new Failed(pushes.get(0).seq(), handled, failure));
    }
}
