package dev.holdfast.journal;

import dev.holdfast.push.PushRecord;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Something the writer thread is asked to make durable. Each ends with one answer: done, or a failure. */
sealed interface Operation {

    /** Bytes of a push's body that it brings into the group. */
    default long bytes() {
        return 0;
    }

    /** Whether it wakes the writer at once. */
    default boolean isUrgent() {
        return false;
    }

    /** Tells whoever waits that it did not happen. */
    void fail(JournalException cause);

    /** A push to be stored. */
    record Append(PushRecord push, Digest digest, Journal.Outcome outcome) implements Operation {
        @Override
        public long bytes() {
            return push.body().length;
        }

        @Override
        public boolean isUrgent() {
            return true;
        }

        @Override
        public void fail(JournalException cause) {
            outcome.failed(cause);
        }
    }

    /** How far a consumer has come. */
    record SaveCursor(String consumer, Progress progress, boolean isUrgent, CompletableFuture<Void> saved)
            implements Operation {
        @Override
        public void fail(JournalException cause) {
            saved.completeExceptionally(cause);
        }
    }

    /** Something under its key; null: there is to be none. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Keep(Family family, byte[] key, byte @Nullable [] value, CompletableFuture<Void> kept) implements Operation {
        @Override
        public long bytes() {
            return value == null ? 0 : value.length;
        }

        @Override
        public void fail(JournalException cause) {
            kept.completeExceptionally(cause);
        }
    }

    /** Everything below {@code seq} is given up. */
    record Remove(long seq, CompletableFuture<Void> removed) implements Operation {
        @Override
        public void fail(JournalException cause) {
            removed.completeExceptionally(cause);
        }
    }

    /** Digests that pointed to removed pushes a moment ago; the writer looks again before it deletes them. */
    record Forget(List<Long> digests, CompletableFuture<Void> forgotten) implements Operation {
        @Override
        public void fail(JournalException cause) {
            forgotten.completeExceptionally(cause);
        }
    }
}
