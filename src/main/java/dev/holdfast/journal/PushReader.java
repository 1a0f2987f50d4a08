package dev.holdfast.journal;

import dev.holdfast.push.PushRecord;
import dev.holdfast.push.RecordForm;
import dev.holdfast.push.RecordFormException;
import java.nio.ByteBuffer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Status;

/** Reads pushes back in order, past what is missing or broken, which it reports. Stateless; any thread. */
final class PushReader {
    private final Positions positions;
    private final Losses losses;

    PushReader(Positions positions, Losses losses) {
        this.positions = positions;
        this.losses = losses;
    }

    /**
     * Hands the pushes at {@code from} to {@code to}, both included, to {@code more} until it says no. Inside
     * {@link Store#reading}.
     */
    void scan(Store store, long from, long to, Predicate<PushRecord> more) throws RocksDBException {
        long next = from;
        while (next <= to) {
            try (RocksIterator pushes = store.scan(Family.PUSHES)) {
                next = scan(pushes, next, to, more);
            }
        }
    }

    /** Returns where to go on with a fresh iterator; past {@code to} when done. */
    private long scan(RocksIterator pushes, long from, long to, Predicate<PushRecord> more) throws RocksDBException {
        long expected = from;
        for (pushes.seek(Store.key(from)); pushes.isValid(); pushes.next()) {
            long seq = Store.number(pushes.key());
            if (seq > expected) {
                missing(expected, Math.min(seq - 1, to));
            }
            if (seq > to) {
                return seq;
            }
            expected = seq + 1;
            PushRecord push = decode(seq, pushes.value());
            if (push != null && !more.test(push)) {
                return Long.MAX_VALUE;
            }
        }
        return afterEnd(pushes, expected, to);
    }

    /** An iterator that ends early has met a block that is broken: what lies in it can be told push by push only. */
    private long afterEnd(RocksIterator pushes, long expected, long to) throws RocksDBException {
        try {
            pushes.status();
        } catch (RocksDBException e) {
            brokenOrThrow(expected, e);
            return expected + 1;
        }
        missing(expected, to);
        return Long.MAX_VALUE;
    }

    /** The push at {@code seq}; null when it is not there or broken. Inside {@link Store#reading}. */
    @Nullable
    PushRecord get(Store store, long seq) throws RocksDBException {
        try {
            byte[] record = store.get(Family.PUSHES, Store.key(seq));
            if (record == null) {
                missing(seq, seq);
                return null;
            }
            return decode(seq, record);
        } catch (RocksDBException e) {
            brokenOrThrow(seq, e);
            return null;
        }
    }

    /** Reports what is not there, but for what retention has removed meanwhile. */
    private void missing(long from, long to) {
        long kept = Math.max(from, positions.first());
        if (kept <= to) {
            losses.missing(kept, to);
        }
    }

    /** Only what will never be readable is passed over; any other failure may go away, and is the caller's. */
    private void brokenOrThrow(long seq, RocksDBException failure) throws RocksDBException {
        Status status = failure.getStatus();
        if (status == null || status.getCode() != Status.Code.Corruption) {
            throw failure;
        }
        losses.broken(seq, String.valueOf(failure.getMessage()));
    }

    private @Nullable PushRecord decode(long seq, byte[] record) {
        try {
            return RecordForm.decode(seq, ByteBuffer.wrap(record));
        } catch (RecordFormException e) {
            losses.broken(seq, String.valueOf(e.getMessage()));
            return null;
        }
    }
}
