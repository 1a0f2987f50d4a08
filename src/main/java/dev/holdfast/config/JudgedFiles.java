package dev.holdfast.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The files that a configuration is judged by, each with a digest of what was in it before it was read: one that has the same
 * digest later has not changed since. By one thread.
 */
final class JudgedFiles {
    /** Of what is absent, and of a pipe: what is read from one is gone. */
    private static final String NONE = "none";

    private final Map<Path, String> digests = new LinkedHashMap<>();

    /** Notes a file that is about to be read, whether it can be or not: the digest of what is in it. */
    String add(Path file) {
        return digests.computeIfAbsent(file, JudgedFiles::digest);
    }

    Map<Path, String> digests() {
        return digests;
    }

    /** What is in those files now. */
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
