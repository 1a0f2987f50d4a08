package dev.holdfast.store;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.RocksDBException;

/**
 * Consumers' positions as a stopped gateway left them in its store. Nothing on the disk is changed.
 *
 * @param positions by consumer; empty when the store can't be read
 * @param problem why the store can't be read; null when it was
 */
public record StoredPositions(
        List<Position> positions, @Nullable String problem) {
    public StoredPositions {
        positions = List.copyOf(positions);
    }

    /**
     * One consumer's, or that of its part of a replay.
     *
     * @param consumer see {@link Checkpoint}
     * @param seq everything up to it is done, or is a blocked push
     * @param blocked how many blocked pushes there are
     */
    public record Position(String consumer, long seq, long blocked) {}

    /**
     * Those in the store of a data directory. Blocks.
     *
     * @throws StoreException when a newer version wrote it
     */
    public static StoredPositions read(Path data) {
        Path directory = data.resolve("store");
        if (!Files.exists(directory.resolve("CURRENT"))) {
            return unreadable("found no store in " + data);
        }
        try {
            FormatFile.refuseNewer(directory);
            if (Files.exists(directory.resolve(StoreDirectory.MARK))) {
                return unreadable("damage was found in the store in " + directory + " while it was in use");
            }
            if (LogDamage.isIn(directory)) {
                return unreadable("the log of the store in " + directory
                        + " is damaged; the gateway's next start goes on with what lies before that");
            }
            Database database = Database.openReadOnly(directory, StoredPositions::layout);
            try {
                return new StoredPositions(of(database), null);
            } catch (IndexOutOfBoundsException e) {
                return unreadable("can't read the store in " + directory + ": found a position that is none");
            } finally {
                database.close();
            }
        } catch (IOException | DirectoryIteratorException | RocksDBException e) {
            return unreadable("can't read the store in " + directory + ": " + e.getMessage());
        }
    }

    private static StoredPositions unreadable(String problem) {
        return new StoredPositions(List.of(), problem);
    }

    /** Positions and all families before them: a store of an older version may not have those behind. */
    private static List<ColumnFamilyDescriptor> layout(DatabaseOptions options) {
        return ColumnFamily.layout(options)
                .subList(0, List.of(ColumnFamily.values()).indexOf(ColumnFamily.POSITIONS) + 1);
    }

    /** By the writer thread, or by whoever has opened the database. */
    static List<Position> of(Database database) throws RocksDBException {
        return database.scan(ColumnFamily.POSITIONS)
                .list(
                        Integer.MAX_VALUE,
                        kept -> new Position(
                                BlockedPushForm.text(kept.key(), 0, kept.key().length),
                                StateKey.number(kept.value(), 0),
                                StateKey.number(kept.value(), 1)));
    }
}
