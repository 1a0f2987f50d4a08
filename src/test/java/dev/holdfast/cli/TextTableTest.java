package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TextTableTest {
    private static Terminal terminal(Map<String, String> environment) {
        return new Terminal(environment, true);
    }

    private static String printed(TextTable table, Terminal terminal) {
        StringWriter text = new StringWriter();
        table.print(new PrintWriter(text, true), terminal);
        return text.toString();
    }

    private static TextTable pushes() {
        TextTable table = new TextTable("SEQ", "AT", "EVENT", "ERROR");
        table.add(7, Cell.whole("2026-01-31T00:00:00Z"), "client.created", "a long story that nobody reads to its end");
        table.add(1234, Cell.whole("2026-01-31T00:00:01Z"), "x", "no");
        return table;
    }

    @Test
    void columnsAreAlignedNumbersAtTheirEnd() {
        assertThat(printed(pushes(), new Terminal(Map.of(), false)))
                .isEqualTo(HoldfastCommandTest.lines(
                        " SEQ  AT                    EVENT           ERROR",
                        "   7  2026-01-31T00:00:00Z  client.created  a long story that nobody reads to its end",
                        "1234  2026-01-31T00:00:01Z  x               no"));
    }

    @Test
    void theLongestCellsAreCutWhereTheTerminalIsNarrowAndFiguresAndTimesAreNot() {
        assertThat(printed(pushes(), terminal(Map.of("COLUMNS", "60", "NO_COLOR", "1"))))
                .isEqualTo(HoldfastCommandTest.lines(
                        " SEQ  AT                    EVENT           ERROR",
                        "   7  2026-01-31T00:00:00Z  client.created  a long story th…",
                        "1234  2026-01-31T00:00:01Z  x               no"));
        assertThat(printed(pushes(), terminal(Map.of("COLUMNS", "20", "NO_COLOR", "1")))
                        .lines())
                .element(1)
                .isEqualTo("   7  2026-01-31T00:00:00Z  client.…  a long …");
    }

    @Test
    void wideAndCombiningCharactersCountAsWhatTheyTake() {
        TextTable table = new TextTable("A", "B");
        table.add("会話会話会話", "x");
        table.add("e\u0301e\u0301", "y");
        table.add("👋", "z");

        assertThat(printed(table, new Terminal(Map.of(), false)))
                .isEqualTo(HoldfastCommandTest.lines(
                        "A             B", "会話会話会話  x", "e\u0301e\u0301            y", "👋            z"));
        assertThat(TextWidth.cut("会話会話会話", 8)).isEqualTo("会話会…");
        assertThat(TextWidth.cut("会話会話会話", 12)).isEqualTo("会話会話会話");
    }

    @Test
    void whatAStrangerWroteBreaksNoLine() {
        TextTable table = new TextTable("A", "B");
        table.add("x\ny\u001b[2J", "z\u202e");

        assertThat(printed(table, new Terminal(Map.of(), false)))
                .isEqualTo(HoldfastCommandTest.lines("A             B", "x y\\u001b[2J  z\\u202e"));
    }

    @Test
    void coloursAreForTerminalsThatHaveSomeAndForPeopleWhoWantThem() {
        assertThat(terminal(Map.of()).paint(Style.BAD, "no")).isEqualTo("\u001b[31mno\u001b[0m");
        assertThat(terminal(Map.of("NO_COLOR", "1")).paint(Style.BAD, "no")).isEqualTo("no");
        assertThat(terminal(Map.of("TERM", "dumb")).paint(Style.BAD, "no")).isEqualTo("no");
        assertThat(new Terminal(Map.of(), false).paint(Style.BAD, "no")).isEqualTo("no");
        assertThat(terminal(Map.of("NO_COLOR", "")).paint(Style.BAD, "no")).isNotEqualTo("no");
    }

    @Test
    void aPipeIsAsWideAsItLikesUnlessSomebodySaysHowWide() {
        assertThat(new Terminal(Map.of(), false).columns()).isEqualTo(Terminal.UNLIMITED);
        assertThat(new Terminal(Map.of("COLUMNS", "72"), false).columns()).isEqualTo(72);
        assertThat(new Terminal(Map.of("COLUMNS", "wide"), false).columns()).isEqualTo(Terminal.UNLIMITED);
    }
}
