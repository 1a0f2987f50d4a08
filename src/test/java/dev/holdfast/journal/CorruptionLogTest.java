package dev.holdfast.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

class CorruptionLogTest {
    private final Counter corrupt = new SimpleMeterRegistry().counter("corrupt");
    private final CorruptionLog corruption = new CorruptionLog(corrupt, (cause, what, times) -> {});

    @Test
    void aGapIsCountedOnceWhereverAReadBegins() {
        corruption.missing(10, 19);
        corruption.missing(10, 19);
        corruption.missing(15, 19);
        corruption.missing(12, 13);
        corruption.broken(17, "gone");

        assertThat(corrupt.count()).isEqualTo(10);
    }

    @Test
    void ofAGapThatIsPartlyKnownTheRestIsCounted() {
        corruption.missing(10, 14);
        corruption.broken(16, "torn");
        corruption.missing(20, 24);

        corruption.missing(5, 22);

        assertThat(corrupt.count()).isEqualTo(20);
        corruption.missing(5, 24);
        assertThat(corrupt.count()).isEqualTo(20);
    }

    @Test
    void neighboursAreCountedEach() {
        corruption.broken(2, "torn");
        corruption.broken(1, "torn");
        corruption.broken(3, "torn");
        corruption.missing(4, 5);

        assertThat(corrupt.count()).isEqualTo(5);
    }

    @Test
    void ofManyRangesTheFirstAreToldAndTheOthersCounted() {
        for (int i = 1; i <= 21; i++) {
            corruption.missing(10L * i, 10L * i + 1);
        }
        assertThat(corruption.all())
                .hasSize(21)
                .startsWith("pushes 10 to 11 are missing or can't be read")
                .endsWith("1 more range of pushes is missing or can't be read");

        corruption.broken(1_000, "torn");

        assertThat(corruption.all()).endsWith("2 more ranges of pushes are missing or can't be read");
    }
}
