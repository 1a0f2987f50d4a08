package dev.holdfast.supervision;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.internal.CleanableDirectBuffer;
import io.netty.util.internal.PlatformDependent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** By itself: the memory of the whole process is measured. */
@Isolated
class NativeMemoryTest {
    private static final int PIECES = 2_048;
    /** Less than what the C library maps by itself, and gives back at once. */
    private static final int PIECE = 64 << 10;

    @Test
    void whatIsFreeIsGivenBack() throws IOException {
        List<CleanableDirectBuffer> pieces = Stream.generate(() -> PlatformDependent.allocateDirect(PIECE))
                .limit(PIECES)
                .toList();
        pieces.forEach(piece -> piece.buffer().put(new byte[PIECE]));
        // Behind what is freed something is left, as it is after a compilation.
        CleanableDirectBuffer last = pieces.get(PIECES - 1);
        pieces.subList(0, PIECES - 1).forEach(CleanableDirectBuffer::clean);
        long before = residentKib();

        NativeMemory.trim();

        assertThat(before - residentKib()).isGreaterThan(PIECES * (PIECE >> 10) / 2);
        last.clean();
    }

    private static long residentKib() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("RssAnon:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow();
    }
}
