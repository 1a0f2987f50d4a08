package dev.holdfast.journal;

import dev.holdfast.push.PushRecord;
import java.util.concurrent.CompletableFuture;
import org.slf4j.LoggerFactory;

/** Something the writer thread is asked to do. Each ends with one answer: done, or a failure. */
sealed interface WriteRequest {

    /** Bytes of a push's body that it brings into the group. */
    default long bytes() {
        return 0;
    }

    /** Whether it wakes the writer at once. */
    default boolean isUrgent() {
        return true;
    }

    /** Tells whoever waits that it did not happen. */
    void fail(JournalException cause);

    /** Tells one who waits; what goes wrong there must not reach the journal. */
    static void told(Runnable answer) {
        try {
            answer.run();
        } catch (RuntimeException | Error e) {
            LoggerFactory.getLogger(WriteRequest.class)
                    .error("whoever waited for the journal failed to take its answer", e);
        }
    }

    /** A push to be stored. */
    record Append(PushRecord push, long digest, Journal.Outcome outcome) implements WriteRequest {
        @Override
        public long bytes() {
            return push.body().length;
        }

        @Override
        public void fail(JournalException cause) {
            outcome.failed(cause);
        }
    }

    /** State to be noted when there is a group anyway, or soon. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Note(byte[] state) implements WriteRequest {
        @Override
        public boolean isUrgent() {
            return false;
        }

        @Override
        public void fail(JournalException cause) {
            // The writer keeps it for the next segment: nobody waits for it.
        }
    }

    /** Everything below {@code seq} may go. */
    record Remove(long seq, CompletableFuture<Void> removed) implements WriteRequest {
        @Override
        public void fail(JournalException cause) {
            removed.completeExceptionally(cause);
        }
    }
}
