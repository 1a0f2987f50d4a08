package dev.holdfast.journal;

import dev.holdfast.push.PushRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/**
 * Operations that one synced write makes durable together: filled into the store's batch, then told. By the writer
 * thread, once.
 */
final class Group {
    private final Store store;
    private final Positions positions;
    private final PushReader reader;
    private final List<Runnable> answers = new ArrayList<>();
    private final List<PushRecord> pushes = new ArrayList<>();
    private final Map<Long, PushRecord> byDigest = new HashMap<>();
    private long last;
    private long first;

    Group(Store store, Positions positions, PushReader reader) {
        this.store = store;
        this.positions = positions;
        this.reader = reader;
        this.last = positions.last();
        this.first = positions.first();
    }

    void add(Operation operation) throws RocksDBException {
        if (operation instanceof Operation.Append append) {
            add(append);
        } else if (operation instanceof Operation.SaveCursor save) {
            add(save);
        } else if (operation instanceof Operation.Keep keep) {
            add(keep);
        } else if (operation instanceof Operation.Remove remove) {
            add(remove);
        } else if (operation instanceof Operation.Forget forget) {
            add(forget);
        }
    }

    private void add(Operation.Append append) throws RocksDBException {
        PushRecord twin = twin(append);
        if (twin != null) {
            long seq = twin.seq();
            answers.add(() -> append.outcome().stored(seq, true));
            return;
        }
        long seq = ++last;
        PushRecord push = append.push().at(seq);
        store.batch().putPush(seq, push, append.digest());
        byDigest.put(append.digest().value(), push);
        pushes.add(push);
        answers.add(() -> append.outcome().stored(seq, false));
    }

    /** The push that these bytes are already kept under; null when there is none that can be read back. */
    private @Nullable PushRecord twin(Operation.Append append) throws RocksDBException {
        PushRecord candidate = byDigest.get(append.digest().value());
        if (candidate == null) {
            long seq = store.find(append.digest().value());
            candidate = seq < first || seq > positions.last() ? null : reader.get(store, seq);
        }
        return candidate != null && Digest.same(candidate, append.push()) ? candidate : null;
    }

    private void add(Operation.SaveCursor save) throws RocksDBException {
        store.batch().putCursor(save.consumer(), save.progress());
        answers.add(() -> {
            positions.cursor(save.consumer(), save.progress());
            save.saved().complete(null);
        });
    }

    private void add(Operation.Keep keep) throws RocksDBException {
        store.batch().keep(keep.family(), keep.key(), keep.value());
        answers.add(() -> keep.kept().complete(null));
    }

    private void add(Operation.Remove remove) throws RocksDBException {
        // Not past what is durable already: a push of this very group stays.
        first = Math.max(first, Math.min(remove.seq(), positions.last() + 1));
        store.batch().putFirst(first);
        answers.add(() -> remove.removed().complete(null));
    }

    private void add(Operation.Forget forget) throws RocksDBException {
        for (long digest : forget.digests()) {
            long seq = byDigest.containsKey(digest) ? last : store.find(digest);
            if (seq != 0 && seq < first) {
                store.batch().deleteDigest(digest);
            }
        }
        answers.add(() -> forget.forgotten().complete(null));
    }

    /** The pushes that are new, in order. */
    List<PushRecord> pushes() {
        return pushes;
    }

    /** After the synced write: what is durable is made known, then told to each in the order of arrival. */
    void tell() {
        positions.first(first);
        positions.last(last);
        answers.forEach(Writer::told);
    }
}
