package dev.holdfast.journal;

import dev.holdfast.disk.WriteQueue;
import dev.holdfast.push.PushRecord;
import java.util.concurrent.CompletableFuture;

/** Something the writer thread is asked to do. Each ends with one answer: done, or a failure. */
sealed interface WriteRequest extends WriteQueue.Request {

    /** Only a push's body counts. */
    @Override
    default long bytes() {
        return 0;
    }

    @Override
    default boolean isUrgent() {
        return true;
    }

    /** Tells whoever waits that it did not happen. */
    void fail(JournalException cause);

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
