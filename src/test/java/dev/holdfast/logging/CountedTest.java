package dev.holdfast.logging;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CountedTest {
    @ParameterizedTest
    @CsvSource({
        "0, push, 0 pushes",
        "1, push, 1 push",
        "2, push, 2 pushes",
        "1, dead letter, 1 dead letter",
        "3, dead letter, 3 dead letters",
        "1, delivery, 1 delivery",
        "21, delivery, 21 deliveries",
        "2, batch, 2 batches"
    })
    void aNounFitsItsNumber(long count, String noun, String expected) {
        assertThat(Counted.of(count, noun)).isEqualTo(expected);
    }
}
