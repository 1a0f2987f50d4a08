package dev.holdfast.receiver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LogLines;
import dev.holdfast.push.Unreadable;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class RejectionLogTest {
    private final AtomicLong second = new AtomicLong(1000);
    private final RejectionLog rejections = new RejectionLog(() -> TimeUnit.SECONDS.toNanos(second.get()));

    /** Whatever else of the process may have something to say at the time. */
    private static List<String> rejections(LogLines log) {
        return log.lines().stream()
                .filter(line -> line.contains(RejectionLog.class.getName()))
                .toList();
    }

    @Test
    void aCauseIsToldAtOnceAndThenOnceAMinute() {
        try (LogLines log = LogLines.atWarn()) {
            for (int i = 0; i < 20; i++) {
                rejections.unreadable("default", i, Unreadable.NOT_JSON);
            }
            assertThat(rejections(log)).hasSize(1);
            assertThat(log.text()).contains("endpoint default: 1 kept that can't be read");

            second.addAndGet(60);
            rejections.unreadable("default", 20, Unreadable.NOT_JSON);

            assertThat(rejections(log)).hasSize(2);
            assertThat(log.text()).contains("endpoint default: 20 kept that can't be read");
        }
    }

    @Test
    void eachEndpointAndEachCauseIsToldByItself() {
        try (LogLines log = LogLines.atWarn()) {
            rejections.unreadable("one", 7, Unreadable.NOT_JSON);
            rejections.unreadable("one", 8, Unreadable.NO_EVENT);
            rejections.unreadable("two", 9, Unreadable.NOT_JSON);

            assertThat(rejections(log)).hasSize(3);
            assertThat(log.text())
                    .contains("endpoint one: 1 kept that can't be read (not-json), the last one is push 7")
                    .contains("(no-event), the last one is push 8");
        }
    }
}
