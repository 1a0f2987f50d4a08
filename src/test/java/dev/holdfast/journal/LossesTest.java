package dev.holdfast.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

class LossesTest {
    private final Counter corrupt = new SimpleMeterRegistry().counter("corrupt");
    private final Losses losses = new Losses(corrupt);

    @Test
    void aGapIsCountedOnceWhereverAReadBegins() {
        losses.missing(10, 19);
        losses.missing(10, 19);
        losses.missing(15, 19);
        losses.missing(12, 13);
        losses.broken(17, "gone");

        assertThat(corrupt.count()).isEqualTo(10);
    }

    @Test
    void ofAGapThatIsPartlyKnownTheRestIsCounted() {
        losses.missing(10, 14);
        losses.broken(16, "torn");
        losses.missing(20, 24);

        losses.missing(5, 22);

        assertThat(corrupt.count()).isEqualTo(20);
        losses.missing(5, 24);
        assertThat(corrupt.count()).isEqualTo(20);
    }

    @Test
    void neighboursAreCountedEach() {
        losses.broken(2, "torn");
        losses.broken(1, "torn");
        losses.broken(3, "torn");
        losses.missing(4, 5);

        assertThat(corrupt.count()).isEqualTo(5);
    }
}
