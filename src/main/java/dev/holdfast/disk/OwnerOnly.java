package dev.holdfast.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Directories (0700) and files (0600) that only their owner may read, whatever the umask. On a file system without such
 * permissions they are made without. Any thread; blocks.
 */
public final class OwnerOnly {
    /** The bits of a file's mode that tell its type, and those of a pipe (stat's S_IFMT and S_IFIFO). */
    private static final int FILE_TYPE = 0170000;

    private static final int PIPE = 0010000;

    private static final Logger LOG = LoggerFactory.getLogger(OwnerOnly.class);
    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> DIRECTORY = PosixFilePermissions.fromString("rwx------");

    /** What could not be closed to others, which is said once. */
    private static final Set<Path> LEFT_OPEN = ConcurrentHashMap.newKeySet();

    private static final long SMALL = 1 << 10;

    private OwnerOnly() {}

    /** Makes a directory and its missing parents, for good; an existing one stays as it is. */
    public static void makeDirectories(Path directory) throws IOException {
        Path parent = directory.toAbsolutePath().getParent();
        if (parent != null && !Files.isDirectory(directory)) {
            if (!Files.exists(parent)) {
                makeDirectories(parent);
            }
            makeDirectory(directory, parent);
        }
    }

    /** Whatever is synced in it is there after a power cut only if it is itself. */
    private static void makeDirectory(Path directory, Path parent) throws IOException {
        try {
            Files.createDirectory(directory, attributes(directory, DIRECTORY));
        } catch (FileAlreadyExistsException e) {
            // Another process may have made it just now.
            if (!Files.isDirectory(directory)) {
                throw e;
            }
        }
        DirectorySync.sync(parent);
    }

    /** The same, and closes an existing one to others; if it is somebody else's, logs that it is open. */
    public static void ownDirectories(Path directory) throws IOException {
        makeDirectories(directory);
        restrict(directory, DIRECTORY);
    }

    /**
     * The same for one directory whose parent must exist: if the parent is missing the disk is away, and a new one
     * would be in its way.
     */
    public static void ownDirectory(Path directory) throws IOException {
        Path parent = directory.toAbsolutePath().getParent();
        if (parent != null && !Files.isDirectory(directory)) {
            makeDirectory(directory, parent);
        }
        restrict(directory, DIRECTORY);
    }

    /**
     * Makes an empty file.
     *
     * @throws FileAlreadyExistsException when there is one
     */
    public static Path makeFile(Path file) throws IOException {
        return Files.createFile(file, attributes(file, FILE));
    }

    /** Opens a file, making it if the options say so; an existing one is closed to others first. */
    public static FileChannel open(Path file, OpenOption... options) throws IOException {
        refusePipe(file);
        if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            restrict(file, FILE);
        }
        return FileChannel.open(file, Set.of(options), attributes(file, FILE));
    }

    /** Writes a small file as a whole, without a sync. */
    public static void write(Path file, byte[] bytes) throws IOException {
        write(file, bytes, false);
    }

    /**
     * The same for good: it is written beside its place, synced and renamed into it, so that whatever happens the file is
     * the former one or this.
     */
    public static void replace(Path file, byte[] bytes) throws IOException {
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(fresh);
        write(fresh, bytes, true);
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        DirectorySync.sync(Objects.requireNonNull(file.toAbsolutePath().getParent()));
    }

    private static void write(Path file, byte[] bytes, boolean synced) throws IOException {
        try (FileChannel channel =
                open(file, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            ByteBuffer left = ByteBuffer.wrap(bytes);
            while (left.hasRemaining()) {
                channel.write(left);
            }
            if (synced) {
                channel.force(true);
            }
        }
    }

    /**
     * Reads a small file as a whole.
     *
     * @throws IOException also if the file is not small: a damaged length must not take all memory
     */
    public static byte[] read(Path file) throws IOException {
        if (Files.size(file) > SMALL) {
            throw new IOException("found more than " + SMALL + " bytes in " + file);
        }
        refusePipe(file);
        return Files.readAllBytes(file);
    }

    private static void refusePipe(Path file) throws IOException {
        if (isPipe(file)) {
            throw new IOException("found a pipe " + file + " (expected: a file)");
        }
    }

    /** Whether this is a pipe: opening it would wait for its other end. */
    public static boolean isPipe(Path file) {
        try {
            return ((Integer) Files.getAttribute(file, "unix:mode") & FILE_TYPE) == PIPE;
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    /** Closes to others what was made otherwise, or logs once that it is open. */
    private static void restrict(Path path, Set<PosixFilePermission> wanted) throws IOException {
        if (!knowsPermissions(path) || isClosed(path)) {
            return;
        }
        String found = PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
        try {
            Files.setPosixFilePermissions(path, wanted);
            if (!isClosed(path)) {
                throw new IOException("its disk keeps no permissions");
            }
            LOG.info("{} was open to others ({}) and is its owner's alone now", path, found);
        } catch (IOException e) {
            if (LEFT_OPEN.add(path)) {
                LOG.warn("{} is open to others ({}) and can't be closed to them: {}", path, found, e.toString());
            }
        }
    }

    private static boolean isClosed(Path path) throws IOException {
        return DIRECTORY.containsAll(Files.getPosixFilePermissions(path));
    }

    private static FileAttribute<?>[] attributes(Path path, Set<PosixFilePermission> permissions) {
        return knowsPermissions(path)
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
                : new FileAttribute<?>[0];
    }

    private static boolean knowsPermissions(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
