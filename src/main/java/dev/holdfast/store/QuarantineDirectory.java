package dev.holdfast.store;

import dev.holdfast.disk.OwnerOnly;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where the quarantine's files lie, and what else may be found there. By the quarantine's thread. */
record QuarantineDirectory(Path path, InstantSource clock) {
    private static final Logger LOG = LoggerFactory.getLogger(QuarantineDirectory.class);

    /** Makes it when it is not there, and deletes what a crash has left. */
    void prepare() throws IOException {
        if (Files.exists(path) && !Files.isDirectory(path)) {
            Path aside = setAside(path);
            LOG.error("{} is no directory: it is set aside as {}, and the quarantine made anew", path, aside);
        }
        OwnerOnly.ownDirectories(path);
        deleteFresh();
    }

    /** What was being written anew when the process ended: all of it is in the file that it was to take the place of. */
    private void deleteFresh() throws IOException {
        for (Path fresh : found("*" + QuarantineFile.SUFFIX + QuarantineFile.FRESH)) {
            Files.delete(fresh);
        }
    }

    List<Path> files() throws IOException {
        List<Path> files = found("*" + QuarantineFile.SUFFIX);
        files.removeIf(file -> !String.valueOf(file.getFileName()).matches("\\d{20}\\" + QuarantineFile.SUFFIX));
        return files;
    }

    private List<Path> found(String pattern) throws IOException {
        List<Path> all = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(path, pattern)) {
            found.forEach(all::add);
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return all;
    }

    /** Gives something another name, for whoever can salvage some of it. */
    Path setAside(Path damaged) throws IOException {
        return Files.move(damaged, damaged.resolveSibling(damaged.getFileName() + ".damaged-" + clock.millis()));
    }
}
