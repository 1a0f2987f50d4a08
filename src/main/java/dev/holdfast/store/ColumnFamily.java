package dev.holdfast.store;

import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;

/** The column families of the store: what is kept where. In the order in which they are opened. */
enum ColumnFamily {
    /** Single values, see {@link StateKey}, the ledger, see {@link LedgerForm}, and the audit; the one family of the digests. */
    STATE("default"),
    /** Consumer to position and the number of its blocked pushes, 8 bytes big-endian each. */
    POSITIONS("positions"),
    /** {@link BlockedPushForm}. */
    BLOCKED("blocked"),
    /** {@link BlockedPushForm}. */
    BLOCKED_BY_SEQ("blocked-by-seq"),
    /** {@link DeadLetterForm}. */
    DEAD_LETTERS("dead-letters"),
    /** {@link DeadLetterForm}. */
    DEAD_LETTERS_BY_TIME("dead-letters-by-time"),
    /** {@link DiscardLog}. */
    DISCARDS("discards"),
    /** {@link RocksReplays}. */
    REPLAYS("replays");

    private final String label;

    ColumnFamily(String label) {
        this.label = label;
    }

    static List<ColumnFamilyDescriptor> layout(DatabaseOptions options) {
        return Stream.of(values())
                .map(family -> family.descriptor(options.small))
                .toList();
    }

    ColumnFamilyDescriptor descriptor(ColumnFamilyOptions options) {
        return new ColumnFamilyDescriptor(label.getBytes(StandardCharsets.US_ASCII), options);
    }

    /** The handles of an open database, which are in the order of a layout; perhaps of the first families only. */
    static Map<ColumnFamily, ColumnFamilyHandle> named(List<ColumnFamilyHandle> handles) {
        Map<ColumnFamily, ColumnFamilyHandle> named = new EnumMap<>(ColumnFamily.class);
        Iterator<ColumnFamily> families = List.of(values()).iterator();
        handles.forEach(handle -> named.put(families.next(), handle));
        return named;
    }
}
