package dev.holdfast.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TextLinesTest {
    private final Written written = new Written(new TextLines());
    private final Logger log = written.log();

    @AfterEach
    void stop() {
        written.close();
    }

    @Test
    void aLineHasItsTimeItsLevelWhoSaysItAndWhat() {
        Instant before = Instant.now().minusMillis(1);
        log.warn("push {} failed", 17);
        log.error("it is gone");

        List<String> lines = written.text().lines().toList();
        assertThat(lines).hasSize(2);
        String time = lines.get(0).substring(0, lines.get(0).indexOf(' '));
        assertThat(OffsetDateTime.parse(time).toInstant()).isBetween(before, Instant.now());
        assertThat(lines.get(0)).isEqualTo(time + " WARN  Some: push 17 failed");
        assertThat(lines.get(1)).endsWith(" ERROR Some: it is gone");
        assertThat(written.text()).endsWith("gone\n");
    }

    @Test
    void anErrorComesWithItsStackAndItsCauses() {
        log.error("it failed", new IllegalStateException("too late", new IllegalArgumentException("by a day")));

        List<String> lines = written.text().lines().toList();
        assertThat(lines.get(0)).endsWith(" ERROR Some: it failed");
        assertThat(lines.get(1)).isEqualTo("java.lang.IllegalStateException: too late");
        assertThat(lines.get(2)).startsWith("\tat dev.holdfast.logging.TextLinesTest");
        assertThat(lines).contains("Caused by: java.lang.IllegalArgumentException: by a day");
        assertThat(written.text()).endsWith("\n");
    }

    @Test
    void whatNobodySeesIsWrittenOutInExceptionsToo() {
        log.warn("c\u200bd", new IllegalStateException("a\u202eb"));

        assertThat(written.text()).contains(" WARN  Some: c\\u200bd\n", "IllegalStateException: a\\u202eb\n");
    }
}
