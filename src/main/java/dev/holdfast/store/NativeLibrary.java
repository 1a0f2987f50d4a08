package dev.holdfast.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.rocksdb.NativeLibraryLoader;
import org.rocksdb.RocksDB;

/**
 * RocksDB's native code, unpacked from the jar. By itself RocksDB deletes the unpacked file, of some 15 MiB, when Java ends
 * in an orderly way only: a gateway that is killed, again and again perhaps, would fill the temporary directory.
 */
public final class NativeLibrary {
    private static boolean loaded;

    private NativeLibrary() {}

    /** Begins to load it, in a thread of its own, beside whatever else a start has to do. */
    public static void loadAhead() {
        Thread thread = new Thread(NativeLibrary::load, "native-library");
        thread.setDaemon(true);
        thread.start();
    }

    /** Loads it, once. The file is gone afterwards: what is loaded stays. */
    public static synchronized void load() {
        if (loaded) {
            return;
        }
        try {
            Path directory = Files.createTempDirectory("holdfast-native-");
            // A start that ends while this goes on.
            directory.toFile().deleteOnExit();
            try {
                NativeLibraryLoader.getInstance().loadLibrary(directory.toString());
            } finally {
                delete(directory);
            }
        } catch (IOException e) {
            throw new StoreException("can't unpack RocksDB's native code: " + e, e);
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
