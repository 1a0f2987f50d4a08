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
    void aPipeIsAsWideAsItLikesWhateverIsExported() {
        assertThat(new Terminal(Map.of(), false).columns()).isEqualTo(Terminal.UNLIMITED);
        assertThat(new Terminal(Map.of("COLUMNS", "72"), true).columns()).isEqualTo(72);
        assertThat(new Terminal(Map.of("COLUMNS", "72"), false).columns()).isEqualTo(Terminal.UNLIMITED);
        assertThat(new Terminal(Map.of("COLUMNS", "wide"), true).columns())
                .isEqualTo(TerminalSize.measure().columns());
    }

    private static TextTable letters() {
        TextTable table = new TextTable("CONSUMER", "SIZE", "LAST", "ERROR")
                .dropping("SIZE")
                .lastBelow();
        table.add("forward", "12.0 KiB", Shown.time("2026-01-31T10:20:30.123Z", "2026-01-31"), "a b c d e f");
        table.add("archive", "12.0 KiB", Shown.time("2026-01-30T10:20:30.123Z", "2026-01-31"), "-");
        return table;
    }

    @Test
    void whereThereIsLittleRoomTimesAreShortThenErrorsBelowThenColumnsLeftOut() {
        assertThat(printed(letters(), new Terminal(Map.of("COLUMNS", "10"), false)))
                .isEqualTo(HoldfastCommandTest.lines(
                        "CONSUMER  SIZE      LAST                  ERROR",
                        "forward   12.0 KiB  2026-01-31T10:20:30Z  a b c d e f",
                        "archive   12.0 KiB  2026-01-30T10:20:30Z  -"));
        assertThat(printed(letters(), terminal(Map.of("COLUMNS", "47", "NO_COLOR", "1"))))
                .isEqualTo(HoldfastCommandTest.lines(
                        "CONSUMER  SIZE      LAST          ERROR",
                        "forward   12.0 KiB  10:20:30Z     a b c d e f",
                        "archive   12.0 KiB  01-30 10:20Z  -"));
        assertThat(printed(letters(), terminal(Map.of("COLUMNS", "40", "NO_COLOR", "1"))))
                .isEqualTo(HoldfastCommandTest.lines(
                        "CONSUMER  SIZE      LAST",
                        "forward   12.0 KiB  10:20:30Z",
                        "    a b c d e f",
                        "archive   12.0 KiB  01-30 10:20Z"));
        assertThat(printed(letters(), terminal(Map.of("COLUMNS", "22", "NO_COLOR", "1"))))
                .isEqualTo(HoldfastCommandTest.lines(
                        "CONSUMER  LAST", "forward   10:20:30Z", "    a b c d e f", "archive   01-30 10:20Z"));
    }

    @Test
    void textIsWrappedAtBlanksAndWhereAWordIsLongerThanALine() {
        assertThat(TextWidth.wrap("it is a long-winded story", 7))
                .containsExactly("it is a", "long-wi", "nded", "story");
        assertThat(TextWidth.wrap("会話会話", 4)).containsExactly("会話", "会話");
        assertThat(TextWidth.wrap("", 4)).containsExactly("");
    }

    @Test
    void aTerminalThatTellsNoSizeHasTheUsualOne() {
        assertThat(TerminalSize.of("50 132\n")).isEqualTo(new TerminalSize(50, 132));
        assertThat(TerminalSize.of("0 0\n")).isEqualTo(new TerminalSize(24, 80));
        assertThat(TerminalSize.of("")).isEqualTo(new TerminalSize(24, 80));
    }
}
