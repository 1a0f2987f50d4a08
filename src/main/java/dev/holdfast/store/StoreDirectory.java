package dev.holdfast.store;

import dev.holdfast.disk.DirectorySync;
import dev.holdfast.disk.OpeningWatch;
import dev.holdfast.disk.OwnerOnly;
import dev.holdfast.disk.PlacedFile;
import dev.holdfast.disk.SystemWords;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
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
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss.SSS", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final String CURRENT = "CURRENT";
    /** As RocksDB begins to say what it did when it didn't come to its bytes; before the name of the file. */
    private static final Pattern READING = Pattern.compile("(?i)while [^:]*(?:read|opendir|stat )");
    /** Its presence says that damage was found while the store was in use. */
    static final String MARK = "damaged";

    private final Path directory;
    private final Function<DatabaseOptions, List<ColumnFamilyDescriptor>> layout;
    /** What was opened last; null: nothing. */
    private @Nullable PlacedFile place;

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
     * @throws UnreadableStoreException when the disk doesn't give what is there
     * @throws StoreException when the disk doesn't let it be opened at the moment
     */
    Database open() throws DamagedStoreException {
        OpeningWatch watch = OpeningWatch.over(directory);
        try {
            mustBeInPlace();
            mustBeDirectory();
            OwnerOnly.ownDirectories(directory);
            check();
            return withFormat(Database.open(directory, layout));
        } catch (IOException e) {
            throw new StoreException("can't use " + directory + ": " + e, e);
        } catch (RocksDBException e) {
            throw cannotOpen(e);
        } finally {
            watch.close();
        }
    }

    /** A directory that is away is waited for: none may be made in its place. */
    private void mustBeInPlace() throws IOException {
        if (place != null) {
            place.mustBeInPlace();
        }
    }

    /** Whether what was opened last lies there; where it doesn't, what is missing is away and not damaged. */
    boolean isInPlace() {
        return place == null || place.isInPlace();
    }

    /** A link to one that is away is none either: the new one is made beside it. */
    private void mustBeDirectory() throws DamagedStoreException {
        if (Files.exists(directory, LinkOption.NOFOLLOW_LINKS) && !Files.isDirectory(directory)) {
            throw new DamagedStoreException("found something of its name (expected: a directory)");
        }
    }

    /** What RocksDB would make the wrong thing of. */
    private void check() throws IOException, DamagedStoreException {
        if (Files.exists(directory.resolve(MARK))) {
            throw new DamagedStoreException("damage was found in it while it was in use");
        }
        try {
            FormatFile.check(directory);
            checkFiles();
            LogDamage.mark(directory);
        } catch (DirectoryIteratorException e) {
            throw cannotRead(Objects.requireNonNull(e.getCause()));
        } catch (IOException e) {
            throw cannotRead(e);
        }
    }

    private StoreException cannotRead(IOException cause) {
        String message = "can't look through " + directory + ": " + cause;
        return SystemWords.UNREADABLE.areIn(message)
                ? new UnreadableStoreException(message, cause)
                : new StoreException(message, cause);
    }

    private Database withFormat(Database database) throws IOException {
        try {
            FormatFile.write(directory);
            place = PlacedFile.at(directory);
            return database;
        } catch (IOException | RuntimeException | Error e) {
            database.close();
            throw e;
        }
    }

    /** Where CURRENT is missing RocksDB makes a new database and deletes what it finds; at a pipe it waits for the other end. */
    private void checkFiles() throws IOException, DamagedStoreException {
        boolean current = Files.exists(directory.resolve(CURRENT));
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "{CURRENT,*.sst,*.log,MANIFEST-*}")) {
            for (Path file : files) {
                if (Files.isDirectory(file) || OwnerOnly.isPipe(file)) {
                    throw new DamagedStoreException("found " + file.getFileName() + ", which is no file");
                }
                // A first opening that was interrupted leaves a log or a MANIFEST, but never a table.
                if (!current && (file.toString().endsWith(".sst") || Files.exists(directory.resolve(LastWrite.NAME)))) {
                    throw new DamagedStoreException("found " + file.getFileName() + " without " + CURRENT);
                }
            }
        }
    }

    private StoreException cannotOpen(RocksDBException cause) throws DamagedStoreException {
        String message = String.valueOf(cause.getMessage());
        if (message.contains("lock hold by current process") || message.contains("While lock file")) {
            throw new RefusedStoreException("journal.directory " + directory.getParent()
                    + " is in use by another process, a gateway or a command");
        }
        if (isDamage(cause)) {
            throw new DamagedStoreException(message, cause);
        }
        return failure("can't open " + directory, cause);
    }

    /** @param what went wrong, unless it is damage */
    static StoreException failure(String what, RocksDBException cause) {
        String message = what + ": " + cause.getMessage();
        return isUnreadable(cause) ? new UnreadableStoreException(message, cause) : new StoreException(message, cause);
    }

    /** Whether the disk didn't give what it was asked for; what it didn't take is another matter. */
    static boolean isUnreadable(RocksDBException failure) {
        Status status = failure.getStatus();
        String message = String.valueOf(failure.getMessage());
        return status != null
                && status.getCode() == Status.Code.IOError
                && READING.matcher(message).lookingAt()
                && SystemWords.UNREADABLE.areIn(message);
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
            case IOError -> SystemWords.MISSING.areIn(failure.getMessage());
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
            place = null;
            DirectorySync.sync(Objects.requireNonNull(directory.toAbsolutePath().getParent()));
            return aside;
        } catch (IOException e) {
            throw new StoreException("can't set " + directory + " aside: " + e, e);
        }
    }

    /** Deletes the directory, so that the next opening makes a new one. */
    void delete() {
        try (Stream<Path> files = Files.walk(directory)) {
            mustBeInPlace();
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
            place = null;
        } catch (IOException e) {
            throw new StoreException("can't delete " + directory + ": " + e, e);
        }
    }
}
