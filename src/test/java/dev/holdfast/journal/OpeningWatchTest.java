package dev.holdfast.journal;

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
            Answers.await(() -> lines.text()
                            .lines()
                            .filter(line -> line.contains("the journal in data is still being opened"))
                            .count()
                    >= 2);
        }
    }
}
