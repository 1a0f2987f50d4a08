package dev.holdfast.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.rocksdb.NativeLibraryLoader;
import org.rocksdb.RocksDB;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * RocksDB's native code, unpacked from the jar. By itself RocksDB deletes the unpacked file, of some 16 MiB, when Java ends
 * in an orderly way only: a gateway that is killed, again and again perhaps, would fill the temporary directory.
 */
public final class NativeLibrary {
    private static final Logger LOG = LoggerFactory.getLogger(NativeLibrary.class);
    /** Directories code can't be run from: the C library keeps the room of each file that it tried to run. */
    private static final Map<Path, StoreException> UNUSABLE = new HashMap<>();

    private static boolean loaded;

    private NativeLibrary() {}

    /** Begins to load it, in a thread of its own, beside whatever else a start has to do. */
    public static void loadAhead() {
        Thread thread = new Thread(NativeLibrary::tryTemporary, "native-library");
        thread.setDaemon(true);
        thread.start();
    }

    private static synchronized void tryTemporary() {
        try {
            loadFrom(temporary());
        } catch (StoreException e) {
            LOG.debug("left to who needs it: {}", e.getMessage());
        }
    }

    /**
     * Loads it, once. The file is gone afterwards: what is loaded stays.
     *
     * @param spare where it is unpacked when the temporary directory is full, or nothing may be written there or run from there
     */
    static synchronized void load(Path spare) {
        if (loaded) {
            return;
        }
        try {
            loadFrom(temporary());
        } catch (StoreException unusable) {
            try {
                loadFrom(spare);
            } catch (StoreException e) {
                throw new StoreException(
                        "can't load RocksDB's native code: found " + unusable.getMessage() + ", and " + e.getMessage()
                                + "; expected a directory with room for 20 MiB that code may be run from, such as java"
                                + " -Djava.io.tmpdir=DIRECTORY names",
                        e);
            }
            LOG.warn("the temporary directory can't be used, {} is used instead: {}", spare, unusable.getMessage());
        }
    }

    private static Path temporary() {
        return Path.of(System.getProperty("java.io.tmpdir"));
    }

    private static void loadFrom(Path directory) {
        StoreException known = UNUSABLE.get(directory);
        if (known != null) {
            throw known;
        }
        try {
            Path unpacked = Files.createTempDirectory(directory, "holdfast-native-");
            // A start that ends while this goes on.
            unpacked.toFile().deleteOnExit();
            try {
                NativeLibraryLoader.getInstance().loadLibrary(unpacked.toString());
            } finally {
                delete(unpacked);
            }
        } catch (IOException e) {
            throw new StoreException(directory + ": " + e, e);
        } catch (UnsatisfiedLinkError e) {
            StoreException unusable = new StoreException(directory + ": " + e, e);
            UNUSABLE.put(directory, unusable);
            throw unusable;
        }
        RocksDB.loadLibrary();
        loaded = true;
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }
}
