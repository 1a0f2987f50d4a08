package dev.holdfast.disk;

import static dev.holdfast.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LogLines;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class OpeningWatchTest {
    @Test
    void anOpeningThatTakesLongIsToldOfAgainAndAgain() {
        try (LogLines lines = LogLines.atWarn();
                OpeningWatch watch = OpeningWatch.over(Path.of("data"), Duration.ofMillis(1))) {
            assertThat(watch).isNotNull();
            eventually(() -> assertThat(lines.text().lines())
                    .filteredOn(line -> line.contains("data is still being opened"))
                    .hasSizeGreaterThanOrEqualTo(2));
        }
    }
}
