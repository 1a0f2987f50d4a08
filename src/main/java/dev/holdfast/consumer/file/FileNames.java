package dev.holdfast.consumer.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParsePosition;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The names of one consumer's files: {@code NAME-20261120T060000.000Z.ndjson} by the time they were begun, in UTC, so
 * that their names sort as they were written; {@code .gz} is appended once they are compressed, {@code .gz.part} while
 * they are being compressed.
 */
final class FileNames {
    private static final String PLAIN = ".ndjson";
    static final String COMPRESSED = ".gz";
    static final String PARTLY = ".gz.part";

    /** A form of time that {@link #BEGUN} can read. */
    private static final String TIME =
            "\\d{4}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])" + "T(?:[01]\\d|2[0-3])[0-5]\\d[0-5]\\d\\.\\d{3}Z";

    private static final DateTimeFormatter BEGUN =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss.SSSX", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final String consumer;
    private final Path directory;
    private final Pattern form;

    FileNames(String consumer, Path directory) {
        this.consumer = consumer;
        this.directory = directory;
        this.form = Pattern.compile(Pattern.quote(consumer) + "-" + TIME + "\\.ndjson(?:\\.gz|\\.gz\\.part|)");
    }

    Path directory() {
        return directory;
    }

    /** All of them, the oldest first, and a plain one before what it was compressed to. */
    List<Path> all() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(
                            file -> form.matcher(file.getFileName().toString()).matches())
                    .sorted()
                    .toList();
        }
    }

    static boolean isPlain(Path file) {
        return file.toString().endsWith(PLAIN);
    }

    /** When one of them was begun. */
    Instant begun(Path file) {
        ParsePosition behindConsumer = new ParsePosition(consumer.length() + 1);
        return Instant.from(BEGUN.parse(file.getFileName().toString(), behindConsumer));
    }

    /** The name of a file begun now: it sorts after all that are there, even if the clock was set back. */
    Path next(Instant now) throws IOException {
        List<Path> all = all();
        Instant youngest = all.isEmpty() ? Instant.EPOCH : begun(all.get(all.size() - 1));
        Instant begun = now.isAfter(youngest.plusMillis(1)) ? now : youngest.plusMillis(1);
        return directory.resolve(consumer + "-" + BEGUN.format(begun) + PLAIN);
    }

    static Path beside(Path plain, String ending) {
        return plain.resolveSibling(plain.getFileName() + ending);
    }
}
