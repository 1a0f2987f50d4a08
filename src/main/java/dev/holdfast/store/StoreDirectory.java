package dev.holdfast.store;

import dev.holdfast.disk.DirectorySync;
import dev.holdfast.disk.OwnerOnly;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory of one database: opening it, telling damage from a disk that is ill at the moment, setting aside what is
 * damaged. By one thread.
 */
final class StoreDirectory {
    private static final Logger LOG = LoggerFactory.getLogger(StoreDirectory.class);
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss.SSS").withZone(ZoneOffset.UTC);
    private static final String CURRENT = "CURRENT";
    /** Its presence says that damage was found while the store was in use. */
    static final String MARK = "damaged";

    private final Path directory;
    private final Function<DatabaseOptions, List<ColumnFamilyDescriptor>> layout;

    StoreDirectory(Path directory, Function<DatabaseOptions, List<ColumnFamilyDescriptor>> layout) {
        this.directory = directory;
        this.layout = layout;
    }

    Path path() {
        return directory;
    }

    /**
     * Opens what is there, or makes it.
     *
     * @throws DamagedStoreException when it will never open
     * @throws RefusedStoreException when it is of a newer version, or another process uses it
     * @throws StoreException when the disk doesn't let it be opened at the moment
     */
    Database open() throws DamagedStoreException, RefusedStoreException {
        OpeningWatch watch = OpeningWatch.over(directory);
        try {
            OwnerOnly.ownDirectories(directory);
            if (Files.exists(directory.resolve(MARK))) {
                throw new DamagedStoreException("damage was found in it while it was in use");
            }
            FormatFile.check(directory);
            checkCurrent();
            LogDamage.mark(directory);
            Database database = Database.open(directory, layout);
            return withFormat(database);
        } catch (IOException e) {
            throw new StoreException("can't use " + directory + ": " + e, e);
        } catch (RocksDBException e) {
            throw cannotOpen(e);
        } finally {
            watch.close();
        }
    }

    private Database withFormat(Database database) throws IOException {
        try {
            FormatFile.write(directory);
            return database;
        } catch (IOException | RuntimeException e) {
            database.close();
            throw e;
        }
    }

    /** Where CURRENT is missing RocksDB makes a new database and deletes what it finds. */
    private void checkCurrent() throws IOException, DamagedStoreException {
        if (Files.exists(directory.resolve(CURRENT))) {
            return;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "{*.sst,*.log,MANIFEST-*}")) {
            // A first opening that was interrupted leaves a log or a MANIFEST, but never a table.
            for (Path file : files) {
                if (file.toString().endsWith(".sst") || Files.exists(directory.resolve(LastWrite.NAME))) {
                    throw new DamagedStoreException("found " + file.getFileName() + " without " + CURRENT);
                }
            }
        }
    }

    private StoreException cannotOpen(RocksDBException cause) throws DamagedStoreException, RefusedStoreException {
        String message = String.valueOf(cause.getMessage());
        if (message.contains("lock") && message.contains("LOCK")) {
            throw new RefusedStoreException(directory + " is in use by another gateway");
        }
        if (isDamage(cause)) {
            throw new DamagedStoreException(message, cause);
        }
        return new StoreException("can't open " + directory + ": " + message, cause);
    }

    /** Whether it won't go away by itself, as a full disk may. */
    static boolean isDamage(RocksDBException failure) {
        Status status = failure.getStatus();
        if (status == null || status.getCode() == null) {
            return false;
        }
        return switch (status.getCode()) {
            case Corruption, NotFound, NotSupported, InvalidArgument -> true;
            // A file that MANIFEST or CURRENT names.
            case IOError -> String.valueOf(failure.getMessage()).contains("No such file");
            default -> false;
        };
    }

    /** Leaves a mark for the next start. Never fails. */
    void markDamaged() {
        try {
            Files.createFile(directory.resolve(MARK));
            DirectorySync.sync(directory);
        } catch (IOException e) {
            LOG.warn("{} can't be marked as damaged: {}", directory, e.toString());
        }
    }

    /**
     * Renames the directory, so that the next opening makes a new one.
     *
     * @return its new name
     */
    Path setAside() {
        Path aside = directory.resolveSibling(directory.getFileName() + ".damaged-" + TIME.format(Instant.now()));
        try {
            Files.move(directory, aside);
            DirectorySync.sync(Objects.requireNonNull(directory.toAbsolutePath().getParent()));
            return aside;
        } catch (IOException e) {
            throw new StoreException("can't set " + directory + " aside: " + e, e);
        }
    }

    /** Deletes the directory, so that the next opening makes a new one. */
    void delete() {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new StoreException("can't delete " + directory + ": " + e, e);
        }
    }
}
