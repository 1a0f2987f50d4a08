package dev.holdfast.journal;

import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;

/** The column families of the journal: what is kept where. In the order in which they are opened. */
enum Family {
    /** {@link SavedState#FIRST}. */
    STATE("default"),
    /** {@code seq}, 8 bytes big-endian, to {@link dev.holdfast.push.RecordForm}. */
    PUSHES("pushes"),
    /** {@link Digest} to {@code seq}. */
    DIGESTS("digests"),
    /** Consumer to {@link ProgressForm}. */
    CURSORS("cursors"),
    /** {@link DeadLetterForm}. */
    DEAD_LETTERS("dead-letters"),
    /** {@link ReplayForm}. */
    REPLAYS("replays");

    private final String label;

    Family(String label) {
        this.label = label;
    }

    static List<ColumnFamilyDescriptor> layout(StoreOptions options) {
        return Stream.of(values())
                .map(family -> new ColumnFamilyDescriptor(
                        family.label.getBytes(StandardCharsets.US_ASCII), family.settings(options)))
                .toList();
    }

    /** The handles of an open database, which are in the order of the layout. */
    static Map<Family, ColumnFamilyHandle> named(List<ColumnFamilyHandle> handles) {
        Map<Family, ColumnFamilyHandle> named = new EnumMap<>(Family.class);
        Iterator<ColumnFamilyHandle> next = handles.iterator();
        for (Family family : values()) {
            named.put(family, next.next());
        }
        return named;
    }

    private ColumnFamilyOptions settings(StoreOptions options) {
        return switch (this) {
            case PUSHES -> options.pushes;
            case DIGESTS -> options.digests;
            case STATE, CURSORS, DEAD_LETTERS, REPLAYS -> options.small;
        };
    }
}
