package dev.holdfast.journal;

import dev.holdfast.store.Digests;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A log in a directory, opened again and again as a gateway would, or left as a killed one leaves it. */
final class LogUnderTest {
    static final long SEGMENT_BYTES = 64L << 20;

    private final Path directory;
    final MapDigests digests = new MapDigests();
    final BrokenDisk disk = new BrokenDisk();
    private long segmentBytes = SEGMENT_BYTES;
    private SimpleMeterRegistry registry = new SimpleMeterRegistry();

    LogUnderTest(Path directory) {
        this.directory = directory;
    }

    LogUnderTest withSegmentsOf(long bytes) {
        segmentBytes = bytes;
        return this;
    }

    LogJournal open() {
        return open(digests, 0);
    }

    LogJournal open(MapDigests index, long knownSeq) {
        registry = new SimpleMeterRegistry();
        return open(LogDirectory.open(directory, disk), index, knownSeq, registry, segmentBytes);
    }

    /** What it finds damaged is told nobody else. */
    static LogJournal open(
            LogDirectory directory, Digests digests, long knownSeq, MeterRegistry registry, long segmentBytes) {
        return LogJournal.open(directory, digests, knownSeq, registry, segmentBytes, (cause, what, times) -> {});
    }

    SimpleMeterRegistry registry() {
        return registry;
    }

    double corrupt() {
        return registry.get("holdfast.journal.corrupt").counter().count();
    }

    /** Oldest first. */
    List<Path> segments() {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".segment"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What a process that is killed now leaves behind, in another directory. */
    LogUnderTest copyTo(Path other) {
        try (Stream<Path> files = Files.list(directory)) {
            Files.createDirectories(other);
            for (Path file : (Iterable<Path>) files::iterator) {
                if (!file.toString().endsWith("lock")) {
                    Files.copy(file, other.resolve(file.getFileName()));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new LogUnderTest(other).withSegmentsOf(segmentBytes);
    }

    static List<String> texts(LogJournal journal) {
        List<String> texts = new ArrayList<>();
        journal.read(0, Integer.MAX_VALUE, Long.MAX_VALUE).forEach(push -> texts.add(AppendResults.text(push)));
        return texts;
    }

    static List<Long> seqs(LogJournal journal) {
        List<Long> seqs = new ArrayList<>();
        journal.read(0, Integer.MAX_VALUE, Long.MAX_VALUE).forEach(push -> seqs.add(push.seq()));
        return seqs;
    }
}
