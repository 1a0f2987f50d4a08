package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UpkeepTest {
    /** As where the jar was overwritten, and a class is needed for the first time. */
    @Test
    void aTaskThatFailsWithAnErrorIsToldAndKeepsNoOtherFromItsTurn() {
        try (LogLines log = LogLines.atWarn()) {
            Upkeep.minutely("retention", () -> {
                throw new NoClassDefFoundError("dev/holdfast/Made");
            });

            assertThat(log.text())
                    .contains("the upkeep failed, and is tried again in a minute: retention: "
                            + "java.lang.NoClassDefFoundError: dev/holdfast/Made");
        }
    }
}
