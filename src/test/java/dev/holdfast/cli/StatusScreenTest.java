package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.cli.terminal.Terminal;
import dev.holdfast.cli.terminal.TextWidth;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The overview on a small terminal. */
class StatusScreenTest {
    private static final Terminal SMALL = new Terminal(Map.of("COLUMNS", "80", "LINES", "24", "NO_COLOR", "1"), true);

    private static ObjectNode overview(int problems) {
        ObjectNode overview = new JsonMapper().createObjectNode();
        overview.put("ready", false).put("summary", "The gateway is not ready: " + problems + " problems.");
        overview.put("version", "1").put("upSince", "2026-01-31T00:00:00Z").put("at", "2026-01-31T00:01:00Z");
        ArrayNode all = overview.putArray("problems");
        for (int i = 1; i <= problems; i++) {
            all.addObject()
                    .put("severity", "critical")
                    .put("text", "Problem " + i + ": " + "words that go on for longer than a line ".repeat(3))
                    .put("action", "Do this about it. " + "There is much to be said. ".repeat(3));
        }
        return overview;
    }

    private static List<String> shown(int problems, int rows) {
        return shown(overview(problems), rows);
    }

    private static List<String> shown(ObjectNode overview, int rows) {
        StringWriter out = new StringWriter();
        new StatusScreen(new PrintWriter(out, true), SMALL, rows).print(overview);
        return out.toString().lines().toList();
    }

    @Test
    void aDiskThatDoesNotSayHowMuchIsFreeHasNoFigure() {
        ObjectNode overview = overview(0);
        overview.putObject("disk").put("free", -1).put("size", 0).put("reserve", 1024);

        assertThat(shown(overview, Terminal.UNLIMITED))
                .anyMatch(line -> line.contains("it does not say how much is free, 1.0 KiB in reserve"));
    }

    @Test
    void theTokensStateIsShownAndForHowLongItIsGood() {
        ObjectNode overview = overview(0);
        overview.putObject("token").put("state", "needs-code");
        assertThat(shown(overview, Terminal.UNLIMITED)).anyMatch(line -> line.matches("token +needs-code"));

        overview.putObject("token").put("state", "valid").put("expiresInSeconds", 7_200);
        assertThat(shown(overview, Terminal.UNLIMITED))
                .anyMatch(line -> line.matches("token +valid, for another 2h 0m"));
    }

    @Test
    void everythingIsThereWhereThereIsRoom() {
        assertThat(shown(10, Terminal.UNLIMITED))
                .anyMatch(line -> line.startsWith("critical  Problem 10:"))
                .noneMatch(line -> line.startsWith("and "));
    }

    @Test
    void onASmallScreenWhatIsWrongComesFirstAndTheLinesThatDoNotFitAreCounted() {
        List<String> lines = shown(10, 23);

        assertThat(lines)
                .hasSize(23)
                .allMatch(line -> TextWidth.of(line) <= 80)
                .startsWith("▲ The gateway is not ready: 10 problems.")
                .anyMatch(line -> line.startsWith("critical  Problem 1:"))
                .last()
                .matches(line -> line.matches("and \\d+ more lines"));
    }
}
