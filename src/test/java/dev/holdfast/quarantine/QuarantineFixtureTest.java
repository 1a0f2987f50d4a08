package dev.holdfast.quarantine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.QuarantineConfig;
import dev.holdfast.quarantine.QuarantinedRequest.Cause;
import dev.holdfast.quarantine.QuarantinedRequest.Header;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The quarantine's files as the first version wrote them, which every later one must read. */
class QuarantineFixtureTest {
    private static final Path FIXTURE = Path.of("src/test/resources/quarantine-format-1");
    private static final long THEN = 1_700_000_000_000L;
    private static final int REQUESTS = 4;

    private static final QuarantineFilter ALL = QuarantineFilter.between(0, Long.MAX_VALUE);

    @TempDir
    private Path directory;

    /** One of each cause. */
    private static QuarantinedRequest request(int n) {
        return new QuarantinedRequest(
                n,
                THEN + n,
                n == 1 ? "default" : "shop",
                List.of(Cause.values()).get(n - 1),
                n == 1 ? "192.0.2.1" : "2001:db8::1",
                n == 1 ? "" : "a=令",
                List.of(new Header("Service-Signature", "00ff"), new Header("X-Wide", "é")),
                n == 1 ? new byte[0] : new byte[] {0, -1, (byte) n});
    }

    private static Quarantine open(Path data) {
        QuarantineConfig config = new QuarantineConfig(1 << 30, Duration.ofDays(7), 1 << 20);
        return new Quarantine(
                data,
                new Quarantine.Limits(config, 1_000, 1_000, 1L << 40, System::nanoTime),
                0,
                new SimpleMeterRegistry(),
                () -> Instant.ofEpochMilli(THEN + 10));
    }

    @Test
    void theRequestsOfTheFirstVersionAreReadAndIdentifiersGoOn() throws IOException {
        copy(FIXTURE, directory);

        try (Quarantine quarantine = open(directory)) {
            assertThat(quarantine.notice()).isEmpty();
            List<QuarantinedRequest> kept = quarantine.list(ALL, 10, request -> request);
            assertThat(kept).hasSize(REQUESTS);
            for (int n = 1; n <= REQUESTS; n++) {
                assertThat(kept.get(n - 1)).usingRecursiveComparison().isEqualTo(request(n));
            }
            quarantine.keep(3, () -> request(2));
        }
        try (Quarantine quarantine = open(directory)) {
            assertThat(quarantine.list(ALL, 10, QuarantinedRequest::id)).containsExactly(1L, 2L, 3L, 4L, 5L);
        }
    }

    /** How the fixture was made. */
    public static void main(String[] arguments) throws IOException {
        Path data = Files.createTempDirectory("quarantine");
        try (Quarantine quarantine = open(data)) {
            for (int n = 1; n <= REQUESTS; n++) {
                QuarantinedRequest kept = request(n);
                quarantine.keep(kept.body().length, () -> kept);
            }
        }
        copy(data, FIXTURE);
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to.resolve("quarantine"));
        try (Stream<Path> files = Files.list(from.resolve("quarantine"))) {
            for (Path file : files.filter(any -> any.toFile().length() > QuarantineFile.HEADER)
                    .toList()) {
                Files.copy(file, to.resolve("quarantine").resolve(file.getFileName()));
            }
        }
    }
}
