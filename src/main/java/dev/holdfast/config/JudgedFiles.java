package dev.holdfast.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The files that a configuration depends on, each with a digest of its content before it was read: if the digest is the
 * same later, the file has not changed since. By one thread.
 */
final class JudgedFiles {
    /** Digest of a file that is absent, and of a pipe, whose content is gone once it is read. */
    private static final String NONE = "none";

    private final Map<Path, String> digests = new LinkedHashMap<>();
    private final boolean pipes;

    JudgedFiles() {
        this(true);
    }

    private JudgedFiles(boolean pipes) {
        this.pipes = pipes;
    }

    /** Refuses pipes and devices: a start has read what was in them, and whoever opens one may wait for ever. */
    static JudgedFiles withoutPipes() {
        return new JudgedFiles(false);
    }

    /**
     * Notes a file that is about to be read, whether it can be or not, and returns its digest.
     *
     * @throws ConfigException if it is refused
     */
    String add(Path file) {
        String digest = digests.computeIfAbsent(file, JudgedFiles::digest);
        if (!pipes && Files.exists(file) && !Files.isRegularFile(file) && !Files.isDirectory(file)) {
            throw new ConfigException(
                    List.of(file + ": found a pipe or a device, which only a start reads, expected a file"), digests);
        }
        return digest;
    }

    Map<Path, String> digests() {
        return digests;
    }

    /** The digests of these files now. */
    static Map<Path, String> digests(Collection<Path> files) {
        JudgedFiles now = new JudgedFiles();
        files.forEach(now::add);
        return now.digests;
    }

    private static String digest(Path file) {
        if (!Files.isRegularFile(file)) {
            return NONE;
        }
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
            return HexFormat.of().formatHex(digest);
        } catch (IOException e) {
            return NONE;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java has no SHA-256, which every Java must have", e);
        }
    }
}
