package dev.holdfast.logging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.JavaProcess;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** A client of HTTP/2 whose length is nonsense, and which is gone before it hears so, has Netty log a trace of sixty lines. */
@Timeout(120)
class LibraryLinesTest {
    private static final String LIBRARYS = "io.netty.util.concurrent.DefaultPromise";
    private static final int MANY = 1_000;

    /** Logs as much as many such clients have a library log, and as much by itself. */
    static final class Flooded {
        private Flooded() {}

        public static void main(String[] args) {
            Logs.configure(Map.of());
            for (int i = 0; i < MANY; i++) {
                LoggerFactory.getLogger(LIBRARYS).warn("a listener has failed", new IllegalStateException("made up"));
                LoggerFactory.getLogger(Flooded.class).info("a line of ours");
            }
            Logs.flush();
        }
    }

    @Test
    void aLibraryThatLogsWithoutEndIsCutOffAndTheCutIsTold() throws Exception {
        Process flooded = JavaProcess.of(Flooded.class).start();

        List<String> lines = new String(flooded.getErrorStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();

        assertThat(lines)
                .filteredOn(line -> line.endsWith("a listener has failed"))
                .hasSize(LibraryLines.MOST);
        assertThat(lines)
                .filteredOn(line -> line.endsWith("what else " + LIBRARYS + " logs within a minute is left out"))
                .hasSize(1);
        assertThat(lines).filteredOn(line -> line.endsWith("a line of ours")).hasSize(MANY);
    }

    @Test
    void eachLoggerBeginsAnewEachMinute() {
        AtomicLong nanos = new AtomicLong();
        LibraryLines lines = new LibraryLines(List.of("io.netty", "io.vertx"), nanos::get);
        assertThat(lines.count(LIBRARYS)).isEqualTo(1);
        assertThat(lines.count(LIBRARYS)).isEqualTo(2);
        assertThat(lines.count("io.vertx.core.Vertx")).isEqualTo(1);
        assertThat(lines.count("dev.holdfast.Gateway")).isZero();
        assertThat(lines.count("io.vertx.core.impl.BlockedThreadChecker")).isZero();

        nanos.addAndGet(TimeUnit.MINUTES.toNanos(1) - 1);
        assertThat(lines.count(LIBRARYS)).isEqualTo(3);
        nanos.addAndGet(1);
        assertThat(lines.count(LIBRARYS)).isEqualTo(1);
    }
}
