package dev.holdfast.logging;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogsTest {
    @ParameterizedTest
    @ValueSource(strings = {"error", "warn", "info", "debug", "trace", "INFO", "Debug"})
    void aLevelIsTakenInAnyCase(String level) {
        assertThat(Logs.complaint(Map.of("HOLDFAST_LOG_LEVEL", level))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"bogus", "", "warning", "info ", "20000"})
    void anotherLevelIsRefused(String level) {
        assertThat(Logs.complaint(Map.of("HOLDFAST_LOG_LEVEL", level)))
                .isEqualTo("HOLDFAST_LOG_LEVEL: found \"" + level + "\", expected error, warn, info, debug or trace");
    }

    @Test
    void theFormatIsTextOrJson() {
        assertThat(Logs.complaint(Map.of())).isEmpty();
        assertThat(Logs.complaint(Map.of("HOLDFAST_LOG_FORMAT", "json"))).isEmpty();
        assertThat(Logs.complaint(Map.of("HOLDFAST_LOG_FORMAT", "xml")))
                .isEqualTo("HOLDFAST_LOG_FORMAT: found \"xml\", expected text or json");
    }
}
