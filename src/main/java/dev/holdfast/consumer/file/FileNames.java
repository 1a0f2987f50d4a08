package dev.holdfast.consumer.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The names of one consumer's files: {@code NAME-20261120T060000.000Z.ndjson} by the time they were begun, in UTC, so
 * that their names sort as they were written; {@code .gz} is appended once they are compressed, {@code .gz.part} while
 * they are being compressed.
 */
final class FileNames {
    static final String COMPRESSED = ".gz";
    static final String PARTLY = ".gz.part";

    /** A form of time that {@link #BEGUN} can read. */
    private static final String TIME =
            "\\d{4}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])" + "T(?:[01]\\d|2[0-3])[0-5]\\d[0-5]\\d\\.\\d{3}Z";

    private static final DateTimeFormatter BEGUN =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss.SSSX").withZone(ZoneOffset.UTC);

    private final String consumer;
    private final Path directory;
    private final Pattern form;

    FileNames(String consumer, Path directory) {
        this.consumer = consumer;
        this.directory = directory;
        this.form = Pattern.compile(Pattern.quote(consumer) + "-(" + TIME + ")\\.ndjson(?:\\.gz|\\.gz\\.part|)");
    }

    Path directory() {
        return directory;
    }

    /** Files that are not compressed, the oldest first. */
    List<Path> plain() throws IOException {
        return withEnding("");
    }

    List<Path> partly() throws IOException {
        return withEnding(PARTLY);
    }

    Instant begun(Path file) {
        Matcher name = form.matcher(file.getFileName().toString());
        if (!name.matches()) {
            throw new IllegalArgumentException("found the file " + file + ", expected one that matches " + form);
        }
        return BEGUN.parse(name.group(1), Instant::from);
    }

    /** Whether no file was begun after this one, compressed or not. */
    boolean isYoungest(Path file) throws IOException {
        return begun(file).equals(youngest());
    }

    private Instant youngest() throws IOException {
        return all().map(this::begun).reduce(Instant.EPOCH, (a, b) -> a.isAfter(b) ? a : b);
    }

    /** The name of a file begun now: it sorts after all that are there, even if the clock was set back. */
    Path next(Instant now) throws IOException {
        Instant youngest = youngest();
        Instant begun = now.isAfter(youngest.plusMillis(1)) ? now : youngest.plusMillis(1);
        return directory.resolve(consumer + "-" + BEGUN.format(begun) + ".ndjson");
    }

    static Path beside(Path plain, String ending) {
        return plain.resolveSibling(plain.getFileName() + ending);
    }

    private List<Path> withEnding(String ending) throws IOException {
        return all().filter(file -> file.toString().endsWith(".ndjson" + ending))
                .toList();
    }

    private Stream<Path> all() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files
                    .filter(file -> form.matcher(file.getFileName().toString()).matches())
                    .sorted()
                    .toList()
                    .stream();
        }
    }
}
