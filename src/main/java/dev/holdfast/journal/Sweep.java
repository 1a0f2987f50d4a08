package dev.holdfast.journal;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives back the space of removed pushes, in the background: files as a whole, and the digests that point nowhere. The
 * digests are found by reading through all of them, which costs a hundredth of reading the removed pushes themselves, and
 * only once a good part of them is stale; the writer deletes them in small portions.
 */
final class Sweep implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Sweep.class);
    /** Digests deleted in one group. */
    private static final int PORTION = 512;
    /** Digests looked at before the handle is let go for a moment. */
    private static final int STRIDE = 50_000;
    /** A sweep is due when this part of the digests is stale: one in four. */
    private static final int STALE_PART = 4;

    private final Writer writer;
    private final Inbox inbox;
    private final Positions positions;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
        Thread named = new Thread(task, "journal-sweep");
        named.setDaemon(true);
        return named;
    });
    private volatile boolean closed;
    private long sweptBelow;

    /** What one stride found, and where the next begins. */
    private record Stride(List<Long> stale, long next, boolean atEnd) {}

    Sweep(Writer writer, Inbox inbox, Positions positions) {
        this.writer = writer;
        this.inbox = inbox;
        this.positions = positions;
    }

    /** Pushes below {@link Positions#first()} were given up; never blocks. */
    void removed() {
        if (!closed) {
            thread.execute(this::run);
        }
    }

    private void run() {
        long first = positions.first();
        try {
            reading(store -> {
                store.dropFilesBelow(first);
                return true;
            });
            if ((first - sweptBelow) * STALE_PART >= positions.last() - first) {
                forgetBelow(first);
                sweptBelow = first;
            }
        } catch (JournalException | CompletionException e) {
            LOG.warn("space of removed pushes is not given back yet: {}", e.getMessage());
        }
    }

    private void forgetBelow(long first) {
        long next = 0;
        boolean atEnd = false;
        while (!atEnd && !closed) {
            long from = next;
            Stride stride = reading(store -> stride(store, from, first));
            forget(stride.stale());
            next = stride.next();
            atEnd = stride.atEnd();
        }
    }

    private static Stride stride(Store store, long from, long first) throws RocksDBException {
        List<Long> stale = new ArrayList<>();
        try (RocksIterator digest = store.scan(Family.DIGESTS)) {
            digest.seek(Store.key(from));
            for (int seen = 0; digest.isValid() && stale.size() < PORTION && seen < STRIDE; seen++) {
                if (Store.number(digest.value()) < first) {
                    stale.add(Store.number(digest.key()));
                }
                digest.next();
            }
            digest.status();
            return digest.isValid()
                    ? new Stride(stale, Store.number(digest.key()), false)
                    : new Stride(stale, from, true);
        }
    }

    private void forget(List<Long> digests) {
        if (digests.isEmpty()) {
            return;
        }
        CompletableFuture<Void> forgotten = new CompletableFuture<>();
        Operation.Forget forget = new Operation.Forget(digests, forgotten);
        if (!inbox.offer(forget)) {
            throw Writer.notOpen();
        }
        forgotten.join();
    }

    private <T> T reading(Store.Reading<T> reading) {
        Store store = writer.store();
        if (store == null) {
            throw Writer.notOpen();
        }
        return store.reading(reading);
    }

    /** Before the writer ends; the task under way ends by itself soon. */
    @Override
    public void close() {
        closed = true;
        thread.shutdown();
    }
}
