package dev.holdfast.store;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The digests in a database of their own, {@code digests} in the data directory: they are the larger part of all, change with
 * each push, and nobody would miss them, so what goes wrong with them must not touch the rest, and nobody waits for their
 * disk. Key is the digest, value its position, 8 bytes big-endian each; one key of one byte has what {@link #upTo} tells. What is
 * damaged, or can't be read, is deleted: all of it comes from the journal again.
 */
final class RocksDigests implements Digests, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RocksDigests.class);
    private static final byte[] UP_TO = {0};
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** Digests deleted in one write. */
    private static final int PORTION = 4_096;
    /** For the place of a digest among those that are added together: a segment has far fewer. */
    private static final int PLACE_MASK = (1 << 24) - 1;

    /** Stale ones are looked for when they are this part of all: one in four. */
    private static final int STALE_PART = 4;

    private final StoreDirectory directory;
    private final Counter renewed;
    private volatile @Nullable Database database;
    private volatile long upTo;
    private volatile boolean damaged;
    private volatile boolean closed;
    private long triedAt;
    /** Of the digests that are being added; kept, since there are many again and again. */
    private long[] places = {};

    private long sweptBelow;

    /** What it holds is not there before it is opened. */
    RocksDigests(Path data, MeterRegistry registry) {
        directory = new StoreDirectory(data.resolve("digests"), RocksDigests::layout);
        renewed = Counter.builder("holdfast.store.digests.renewed")
                .description("How often the index of digests was damaged, and deleted to be made anew")
                .register(registry);
        Gauge.builder("holdfast.store.digests.size", this, RocksDigests::size)
                .description("Bytes on disk")
                .baseUnit("bytes")
                .register(registry);
    }

    /**
     * @return what else went wrong, which costs the finding of old duplicates only
     * @throws StoreException when it is of a newer version, or another process uses it
     */
    @Nullable
    StoreException openFirst() {
        try {
            open();
            return null;
        } catch (RefusedStoreException e) {
            throw e;
        } catch (StoreException e) {
            return e;
        }
    }

    private static List<ColumnFamilyDescriptor> layout(DatabaseOptions options) {
        return List.of(ColumnFamily.STATE.descriptor(options.digests));
    }

    private void open() {
        triedAt = System.nanoTime();
        try {
            if (damaged) {
                throw new DamagedStoreException("damage was found in it while it was in use");
            }
            take(directory.open());
        } catch (DamagedStoreException | UnreadableStoreException e) {
            LOG.error("the index of digests in {} is damaged and made anew: {}", directory.path(), e.getMessage());
            renewed.increment();
            directory.delete();
            damaged = false;
            try {
                take(directory.open());
            } catch (DamagedStoreException again) {
                throw new StoreException("can't make an index of digests: " + again.getMessage(), again);
            }
        }
    }

    private void take(Database opened) throws DamagedStoreException {
        try {
            byte[] kept = opened.get(ColumnFamily.STATE, UP_TO);
            upTo = kept == null ? 0 : StateKey.number(kept, 0);
        } catch (RocksDBException | RuntimeException e) {
            opened.close();
            throw new DamagedStoreException("it can't be read: " + e.getMessage(), e);
        } catch (Error e) {
            opened.close();
            throw e;
        }
        database = opened;
        if (closed) {
            // Meanwhile, by another thread.
            close();
        }
    }

    @Override
    public long find(long digest) {
        Database open = database;
        if (open == null) {
            return 0;
        }
        try {
            return open.reading(reading -> {
                byte[] seq = reading.get(ColumnFamily.STATE, StateKey.numbers(digest));
                return seq == null ? 0 : StateKey.number(seq, 0);
            });
        } catch (RocksDBException | RuntimeException e) {
            if (e instanceof RocksDBException failure && StoreDirectory.isDamage(failure) && !damaged) {
                damaged = true;
                LOG.error("the index of digests is damaged, and soon made anew: {}", e.getMessage());
            }
            return 0;
        }
    }

    @Override
    public void add(long[] digests, long[] seqs, int count, long upTo) {
        long before = this.upTo;
        Database open = writable();
        if (this.upTo < before) {
            // These don't follow what it holds any more: whoever adds is to begin again behind that.
            throw new StoreException("the index of digests holds those up to push " + this.upTo + " after it was opened"
                    + " again (expected: up to " + before + ")");
        }
        try (WriteBatch batch = new WriteBatch()) {
            sortByKey(digests, count);
            for (int n = 0; n < count; n++) {
                int i = (int) places[n] & PLACE_MASK;
                batch.put(StateKey.numbers(digests[i]), StateKey.numbers(seqs[i]));
            }
            long covered = Math.max(upTo, this.upTo);
            batch.put(UP_TO, StateKey.numbers(covered));
            // While nobody can close the handle.
            var unused = open.reading(writing -> {
                writing.write(batch);
                return true;
            });
            this.upTo = covered;
        } catch (RocksDBException e) {
            throw failed(open, e);
        }
    }

    /**
     * The places of digests, in the lowest bits, near enough in the order of their keys: each is then put beside the one
     * before, which costs RocksDB a fifth of finding its place anew. Of equal digests the later place comes later.
     */
    private void sortByKey(long[] digests, int count) {
        if (places.length < count) {
            places = new long[count];
        }
        for (int i = 0; i < count; i++) {
            // Keys are compared as unsigned bytes, numbers here with their sign.
            places[i] = ((digests[i] ^ Long.MIN_VALUE) & ~PLACE_MASK) | i;
        }
        Arrays.sort(places, 0, count);
    }

    /** After a failed write nothing more is written through the same handle. Outside a reading, for which closing waits. */
    private StoreException failed(Database open, RocksDBException failure) {
        damaged |= StoreDirectory.isDamage(failure);
        database = null;
        open.close();
        return new StoreException("can't keep digests: " + failure.getMessage(), failure);
    }

    private Database writable() {
        Database open = database;
        if (open != null && damaged) {
            database = null;
            open.close();
            triedAt = System.nanoTime() - RETRY_NANOS;
        }
        if (database == null && !closed && System.nanoTime() - triedAt >= RETRY_NANOS) {
            open();
        }
        open = database;
        if (open == null) {
            throw new StoreException("the index of digests is not open");
        }
        return open;
    }

    @Override
    public long upTo() {
        return upTo;
    }

    @Override
    public void removeBelow(long seq) {
        if ((seq - sweptBelow) * STALE_PART < upTo - seq) {
            return;
        }
        Database open = writable();
        try {
            if (open.reading(sweeping -> sweepBelow(sweeping, seq))) {
                sweptBelow = seq;
            }
        } catch (RocksDBException e) {
            throw failed(open, e);
        }
    }

    /** Ends early when it is closed meanwhile, for that waits; false then. */
    private boolean sweepBelow(Database open, long seq) throws RocksDBException {
        try (Scan digest = open.scan(ColumnFamily.STATE);
                WriteBatch batch = new WriteBatch()) {
            while (!closed && digest.next()) {
                if (digest.key().length == Long.BYTES && StateKey.number(digest.value(), 0) < seq) {
                    batch.delete(digest.key());
                }
                if (batch.count() >= PORTION) {
                    open.write(batch);
                    batch.clear();
                }
            }
            open.write(batch);
            return !closed;
        }
    }

    private long size() {
        Database open = database;
        return open == null ? 0 : open.size();
    }

    /** Whoever adds or sweeps is waited for, a portion at most, and fails from then on. Idempotent. */
    @Override
    public void close() {
        closed = true;
        Database open = database;
        database = null;
        if (open != null) {
            open.close();
        }
    }
}
