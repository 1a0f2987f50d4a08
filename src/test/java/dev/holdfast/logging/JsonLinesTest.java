package dev.holdfast.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class JsonLinesTest {
    private final Written written = new Written(new JsonLines());
    private final Logger log = written.log();

    @AfterEach
    void stop() {
        written.close();
    }

    private JsonNode only() throws Exception {
        assertThat(written.text().lines()).hasSize(1);
        return new ObjectMapper().readTree(written.text());
    }

    @Test
    void aLineHasItsTimeInIsoAndWhatItSays() throws Exception {
        Instant before = Instant.now().minusMillis(1);
        log.warn("push {} failed", 17);

        JsonNode line = only();
        List<String> names = new ArrayList<>();
        line.fieldNames().forEachRemaining(names::add);
        assertThat(names).containsExactly("time", "level", "logger", "thread", "message");
        assertThat(line.get("time").asText()).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
        assertThat(Instant.parse(line.get("time").asText())).isBetween(before, Instant.now());
        assertThat(line.get("level").asText()).isEqualTo("WARN");
        assertThat(line.get("logger").asText()).isEqualTo("dev.holdfast.Some");
        assertThat(line.get("thread").asText()).isEqualTo(Thread.currentThread().getName());
        assertThat(line.get("message").asText()).isEqualTo("push 17 failed");
    }

    @Test
    void whatALineGivesAKeyIsAFieldAndANumberStaysOne() throws Exception {
        log.atInfo()
                .addKeyValue("seq", 17L)
                .addKeyValue("event", "client.created")
                .addKeyValue("level", "none")
                .addKeyValue("rate", Double.NaN)
                .log("handled");

        JsonNode line = only();
        assertThat(line.get("seq").isIntegralNumber()).isTrue();
        assertThat(line.get("seq").asLong()).isEqualTo(17);
        assertThat(line.get("event").asText()).isEqualTo("client.created");
        assertThat(line.get("level").asText()).isEqualTo("INFO");
        assertThat(line.get("rate").asText()).isEqualTo("NaN");
        assertThat(line.get("message").asText()).isEqualTo("handled");
    }

    @Test
    void anErrorComesWithItsStackOnTheSameLine() throws Exception {
        log.error("it failed", new IllegalStateException("too\nlate"));

        assertThat(only().get("error").asText())
                .startsWith("java.lang.IllegalStateException: too\nlate")
                .contains("\tat dev.holdfast.logging.JsonLinesTest");
    }

    /** The writer of lines cuts what is too long, wherever that is. */
    @Test
    void aLineThatIsTooLongIsCutInItsTextsAndStaysJson() throws Exception {
        log.atError()
                .addKeyValue("event", "\u202e".repeat(1 << 20))
                .setCause(new IllegalStateException("\u0001".repeat(1 << 20)))
                .log("…".repeat(1 << 20));

        JsonNode line = only();
        assertThat(written.text().getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(LineWriter.LONGEST);
        assertThat(line.get("event").asText()).startsWith("\\u202e").endsWith("…");
        assertThat(line.get("error").asText()).startsWith("java.lang.IllegalStateException: \\u0001");
        assertThat(line.get("message").asText()).startsWith("……");
    }

    @Test
    void whatNobodySeesIsWrittenOutInEveryText() throws Exception {
        log.atWarn().addKeyValue("event", "a\u202eb").log("c\u200bd");

        JsonNode line = only();
        assertThat(line.get("event").asText()).isEqualTo("a\\u202eb");
        assertThat(line.get("message").asText()).isEqualTo("c\\u200bd");
    }
}
