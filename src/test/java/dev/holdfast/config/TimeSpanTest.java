package dev.holdfast.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeSpanTest {
    @ParameterizedTest
    @CsvSource({
        "0s, 0, 0s",
        "500ms, 500, 500ms",
        "1000ms, 1000, 1s",
        "30s, 30000, 30s",
        "90s, 90000, 90s",
        "5m, 300000, 5m",
        "1h, 3600000, 1h",
        "7d, 604800000, 7d",
        "36h, 129600000, 36h"
    })
    void readsAndShowsDurations(String text, long millis, String shown) {
        assertThat(TimeSpan.parse(text)).hasValueSatisfying(span -> {
            assertThat(span).hasMillis(millis);
            assertThat(TimeSpan.show(span)).isEqualTo(shown);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "30", "30 s", "30S", "-1s", "1.5s", "1w", "PT30S", "s", "9999999999d"})
    void refusesWhatIsNoDuration(String text) {
        assertThat(TimeSpan.parse(text)).isEmpty();
    }
}
