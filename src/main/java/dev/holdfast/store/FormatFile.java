package dev.holdfast.store;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.holdfast.disk.OwnerOnly;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file {@code format} of a store's directory, one line: {@code holdfast store 1 6f09d5aa}, the version and the CRC32C of what
 * stands before it. One whose checksum is wrong says nothing: damage must not pass for a newer version.
 */
final class FormatFile {
    /** The version that this one writes, and the newest that it reads. */
    static final int VERSION = 1;

    private static final Logger LOG = LoggerFactory.getLogger(FormatFile.class);
    private static final Pattern LINE = Pattern.compile("(holdfast store (\\d{1,9}) )([0-9a-f]{8})\n");
    private static final String NAME = "format";
    private static final long LONGEST = 64;

    private FormatFile() {}

    /**
     * Looks before anything is opened.
     *
     * @throws RefusedStoreException when the directory is of a newer version
     */
    static void check(Path directory) throws IOException {
        Path file = directory.resolve(NAME);
        if (Files.exists(file) && !refuseNewer(directory)) {
            LOG.warn("{} is damaged and written anew; the store is read as one of format {}", file, VERSION);
            Files.delete(file);
        }
    }

    /**
     * The same without a change of anything.
     *
     * @return whether the file says which version it is
     * @throws RefusedStoreException when the directory is of a newer version
     */
    static boolean refuseNewer(Path directory) throws IOException {
        Path file = directory.resolve(NAME);
        if (!Files.isRegularFile(file) || Files.size(file) > LONGEST) {
            return false;
        }
        Matcher line = LINE.matcher(new String(Files.readAllBytes(file), US_ASCII));
        if (!line.matches() || !line.group(3).equals(checksum(line.group(1)))) {
            return false;
        }
        int version = Integer.parseInt(line.group(2));
        if (version > VERSION) {
            throw new RefusedStoreException(
                    "the store in " + directory + " was written by a newer version: found format " + version
                            + " (expected: at most " + VERSION + ")");
        }
        return true;
    }

    /** Writes it where it isn't there. */
    static void write(Path directory) throws IOException {
        Path file = directory.resolve(NAME);
        if (Files.exists(file)) {
            return;
        }
        String text = "holdfast store " + VERSION + " ";
        OwnerOnly.replace(file, (text + checksum(text) + "\n").getBytes(US_ASCII));
    }

    private static String checksum(String text) {
        CRC32C crc = new CRC32C();
        crc.update(text.getBytes(US_ASCII));
        return HexFormat.of().toHexDigits(crc.getValue(), Integer.BYTES * 2);
    }
}
