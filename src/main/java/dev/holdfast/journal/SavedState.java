package dev.holdfast.journal;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a store has of earlier runs, besides the pushes. Inside {@link Store#reading}, or by the writer thread. */
final class SavedState {
    /** Key of the lowest position that is kept, in {@link Family#STATE}. */
    static final byte[] FIRST = "first".getBytes(StandardCharsets.US_ASCII);

    private static final Logger LOG = LoggerFactory.getLogger(SavedState.class);

    private final Store store;

    SavedState(Store store) {
        this.store = store;
    }

    /** The lowest kept position as it was last written; 1 when never. */
    long first() throws RocksDBException {
        byte[] first = store.get(Family.STATE, FIRST);
        return first == null ? 1 : Store.number(first);
    }

    /** The highest position there is a push at; 0 when there is none. */
    long newest() throws RocksDBException {
        try (RocksIterator pushes = store.scan(Family.PUSHES)) {
            pushes.seekToLast();
            pushes.status();
            return pushes.isValid() ? Store.number(pushes.key()) : 0;
        }
    }

    /** How far each consumer has come. */
    Map<String, Progress> cursors() throws RocksDBException {
        Map<String, Progress> saved = new HashMap<>();
        try (RocksIterator cursor = store.scan(Family.CURSORS)) {
            for (cursor.seekToFirst(); cursor.isValid(); cursor.next()) {
                saved.put(new String(cursor.key(), StandardCharsets.UTF_8), ProgressForm.decode(cursor.value()));
            }
            cursor.status();
        }
        return saved;
    }

    /** The replays that were on their way. */
    List<Replay> replays() throws RocksDBException {
        List<Replay> saved = new ArrayList<>();
        try (RocksIterator replay = store.scan(Family.REPLAYS)) {
            for (replay.seekToFirst(); replay.isValid(); replay.next()) {
                try {
                    saved.add(ReplayForm.decode(replay.value()));
                } catch (JournalException e) {
                    // One that can't be read, by a newer version perhaps, keeps nobody from anything else.
                    LOG.error("a replay in the journal is passed over", e);
                }
            }
            replay.status();
        }
        return saved;
    }
}
