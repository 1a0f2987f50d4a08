package dev.holdfast.journal;

import dev.holdfast.disk.OwnerOnly;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What lies beside a segment: the same file kept aside, when damage was found in it, and how far its positions go for sure, where
 * that was guessed. Of a directory that is only read nothing is changed. Any thread; never fails.
 */
final class SegmentMarks {
    private static final Logger LOG = LoggerFactory.getLogger(SegmentMarks.class);
    private static final String DAMAGED = ".damaged";
    private static final String GUESSED = ".guessed";

    private final boolean readOnly;

    SegmentMarks(boolean readOnly) {
        this.readOnly = readOnly;
    }

    /**
     * Keeps a damaged segment for whoever wants to salvage more of it, however long the log itself needs it: under another
     * name, since what counts of it never changes.
     */
    void keepAside(Path segment) {
        Path aside = aside(segment);
        try {
            if (!readOnly && !Files.exists(aside)) {
                link(segment, aside);
                LOG.warn("{} is kept as {}", segment.getFileName(), aside);
            }
        } catch (IOException e) {
            LOG.warn("{} can't be kept aside: {}", segment.getFileName(), e.toString());
        }
    }

    boolean isKeptAside(Path segment) {
        return Files.exists(aside(segment));
    }

    private static Path aside(Path segment) {
        return segment.resolveSibling(segment.getFileName() + DAMAGED);
    }

    private static void link(Path segment, Path aside) throws IOException {
        try {
            Files.createLink(aside, segment);
        } catch (IOException | UnsupportedOperationException noLinks) {
            Files.copy(segment, aside, StandardCopyOption.COPY_ATTRIBUTES);
        }
    }

    /**
     * How far a segment's positions go is only guessed, and the next one begins behind that.
     *
     * @param certain up to here they were given
     */
    void markGuessed(Path segment, long certain) {
        if (readOnly) {
            return;
        }
        try {
            OwnerOnly.write(guessed(segment), Long.toString(certain).getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            LOG.warn("can't note that the end of {} was guessed: {}", segment.getFileName(), e.toString());
        }
    }

    /** Up to where the positions before the next segment were given for sure; the highest number: all were. */
    long certain(Path segment) {
        try {
            return Long.parseLong(new String(OwnerOnly.read(guessed(segment)), StandardCharsets.US_ASCII));
        } catch (IOException | NumberFormatException e) {
            return Long.MAX_VALUE;
        }
    }

    /** How far they go is known. */
    void unmarkGuessed(Path segment) {
        if (readOnly) {
            return;
        }
        try {
            Files.deleteIfExists(guessed(segment));
        } catch (IOException e) {
            LOG.warn("{} can't be deleted: {}", guessed(segment), e.toString());
        }
    }

    private static Path guessed(Path segment) {
        return segment.resolveSibling(segment.getFileName() + GUESSED);
    }
}
