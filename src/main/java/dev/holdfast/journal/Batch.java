package dev.holdfast.journal;

import dev.holdfast.push.PushRecord;
import dev.holdfast.push.RecordForm;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/** What the next synced write makes durable, all or nothing. Used over and over, by the writer thread alone. */
final class Batch implements AutoCloseable {
    private final Store store;
    private final WriteBatch writes = new WriteBatch(1 << 20);
    private final ByteBuffer key = ByteBuffer.allocateDirect(Long.BYTES);
    private final ByteBuffer number = ByteBuffer.allocateDirect(Long.BYTES);
    private long newest;
    private ByteBuffer value = ByteBuffer.allocateDirect(64 << 10);

    Batch(Store store) {
        this.store = store;
    }

    void putPush(long seq, PushRecord push, Digest digest) throws RocksDBException {
        int room = RecordForm.maxLength(push);
        if (value.capacity() < room) {
            value = ByteBuffer.allocateDirect(room);
        }
        RecordForm.encode(push, seq, digest.bodyChecksum(), value.clear());
        newest = seq;
        writes.put(store.handle(Family.PUSHES), filled(key, seq), value.flip());
        writes.put(store.handle(Family.DIGESTS), filled(key, digest.value()), filled(number, seq));
    }

    void deleteDigest(long digest) throws RocksDBException {
        writes.delete(store.handle(Family.DIGESTS), filled(key, digest));
    }

    void putCursor(String consumer, Progress progress) throws RocksDBException {
        writes.put(
                store.handle(Family.CURSORS), consumer.getBytes(StandardCharsets.UTF_8), ProgressForm.encode(progress));
    }

    /** @param value null: there is to be none */
    void keep(Family family, byte[] key, byte @Nullable [] value) throws RocksDBException {
        if (value == null) {
            writes.delete(store.handle(family), key);
        } else {
            writes.put(store.handle(family), key, value);
        }
    }

    void putFirst(long seq) throws RocksDBException {
        writes.put(store.handle(Family.STATE), SavedState.FIRST, Store.key(seq));
    }

    boolean isEmpty() {
        return writes.count() == 0;
    }

    /** The position of the last push in it; 0 when there is none. */
    long newest() {
        return newest;
    }

    void clear() {
        newest = 0;
        writes.clear();
    }

    WriteBatch writes() {
        return writes;
    }

    private static ByteBuffer filled(ByteBuffer buffer, long number) {
        return buffer.clear().putLong(number).flip();
    }

    @Override
    public void close() {
        writes.close();
    }
}
