package dev.holdfast.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/** The files of a file consumer, plain and compressed, as a reader finds them. */
final class Archive {
    private final Path directory;
    /** How many lines there were at the end of each life. */
    private final List<Integer> ends = new ArrayList<>();

    Archive(Path directory) {
        this.directory = directory;
    }

    /** The gateway has ended: what stands there now is older than what the next one writes. */
    void endOfLife() throws IOException {
        ends.add(lines(new ArrayList<>()).size());
    }

    int compressedFiles() throws IOException {
        return (int) files().stream().filter(Archive::isCompressed).count();
    }

    /** What is not as a reader may expect it once the gateway has stopped; empty when all is well. */
    List<String> complaints() throws IOException {
        List<String> complaints = new ArrayList<>();
        lines(complaints).forEach(line -> {
            try {
                ArchivedPush.read("", line);
            } catch (RuntimeException e) {
                complaints.add("no whole JSON: " + new String(line, 0, Math.min(80, line.length), UTF_8));
            }
        });
        return complaints;
    }

    /** Every line in the order of writing. */
    List<ArchivedPush> pushes() throws IOException {
        List<byte[]> lines = lines(new ArrayList<>());
        List<ArchivedPush> pushes = new ArrayList<>();
        int life = 0;
        for (int i = 0; i < lines.size(); i++) {
            while (life < ends.size() && i >= ends.get(life)) {
                life++;
            }
            pushes.add(ArchivedPush.read(Integer.toString(life + 1), lines.get(i)));
        }
        return pushes;
    }

    private List<byte[]> lines(List<String> complaints) throws IOException {
        List<byte[]> lines = new ArrayList<>();
        for (Path file : files()) {
            byte[] bytes = content(file);
            int from = 0;
            for (int i = 0; i < bytes.length; i++) {
                if (bytes[i] == '\n') {
                    lines.add(Arrays.copyOfRange(bytes, from, i));
                    from = i + 1;
                }
            }
            if (from < bytes.length) {
                complaints.add("torn: the end of " + file.getFileName());
            }
        }
        return lines;
    }

    /** In the order of their beginnings. A kill may leave a file there as well as its compressed copy: they are one. */
    private List<Path> files() throws IOException {
        if (!Files.exists(directory)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(directory)) {
            return all.filter(file -> isCompressed(file)
                            || (file.toString().endsWith(".ndjson") && !Files.exists(Path.of(file + ".gz"))))
                    .sorted()
                    .toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static boolean isCompressed(Path file) {
        return file.toString().endsWith(".ndjson.gz");
    }

    private static byte[] content(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        if (!isCompressed(file)) {
            return bytes;
        }
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            return in.readAllBytes();
        }
    }
}
