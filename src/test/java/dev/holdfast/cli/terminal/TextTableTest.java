package dev.holdfast.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TextTableTest {
    private static final JsonMapper JSON = new JsonMapper();

    private static Terminal terminal(Map<String, String> environment) {
        return new Terminal(environment, true);
    }

    private static List<String> printed(TextTable table, Terminal terminal) {
        StringWriter text = new StringWriter();
        table.print(new PrintWriter(text, true), terminal);
        return text.toString().lines().toList();
    }

    private static TextTable pushes() throws JsonProcessingException {
        return new TextTable(
                        Column.of("SEQ", Shown::number, "seq"),
                        new Column("AT", push -> Cell.whole(Shown.text(push, "at"))),
                        Column.of("EVENT", Shown::text, "event"),
                        Column.of("ERROR", Shown::text, "error"))
                .rows(JSON.readTree("""
                        [{"seq": 7, "at": "2026-01-31T00:00:00Z", "event": "client.created",
                            "error": "a long story that nobody reads to its end"},
                         {"seq": 1234, "at": "2026-01-31T00:00:01Z", "event": "x", "error": "no"}]"""));
    }

    /** Of two columns of text. */
    private static TextTable pairs(String rows) throws JsonProcessingException {
        return new TextTable(Column.of("A", Shown::text, "a"), Column.of("B", Shown::text, "b"))
                .rows(JSON.readTree(rows));
    }

    @Test
    void columnsAreAlignedNumbersAtTheirEnd() throws JsonProcessingException {
        assertThat(printed(pushes(), new Terminal(Map.of(), false)))
                .containsExactly(
                        " SEQ  AT                    EVENT           ERROR",
                        "   7  2026-01-31T00:00:00Z  client.created  a long story that nobody reads to its end",
                        "1234  2026-01-31T00:00:01Z  x               no");
    }

    @Test
    void theLongestCellsAreCutWhereTheTerminalIsNarrowAndFiguresAndTimesAreNot() throws JsonProcessingException {
        assertThat(printed(pushes(), terminal(Map.of("COLUMNS", "60", "NO_COLOR", "1"))))
                .containsExactly(
                        " SEQ  AT                    EVENT           ERROR",
                        "   7  2026-01-31T00:00:00Z  client.created  a long story th…",
                        "1234  2026-01-31T00:00:01Z  x               no");
        assertThat(printed(pushes(), terminal(Map.of("COLUMNS", "20", "NO_COLOR", "1"))))
                .element(1)
                .isEqualTo("   7  2026-01-31T00:00:00Z  client.…  a long …");
    }

    @Test
    void rowsThatComeLaterStandBelowInTheSameColumns() throws JsonProcessingException {
        Terminal pipe = new Terminal(Map.of(), false);
        TextTable table = pairs("[{\"a\": \"ab\", \"b\": \"x\"}]");

        assertThat(printed(table, pipe)).containsExactly("A   B", "ab  x");
        assertThat(printed(table.rows(JSON.readTree("[{\"a\": \"a\", \"b\": \"y\"}]")), pipe))
                .containsExactly("a   y");
        assertThat(printed(table.rows(JSON.readTree("[{\"a\": \"abc\", \"b\": \"z\"}]")), pipe))
                .containsExactly("abc  z");
    }

    @Test
    void rowsThatComeLaterAreCutAsTheFirstOnesAre() throws JsonProcessingException {
        Terminal narrow = terminal(Map.of("COLUMNS", "20", "NO_COLOR", "1"));
        String wide = "{\"a\": \"as long as it may be\", \"b\": \"x\"}";
        TextTable table = pairs("[" + wide + "]").dropping("B");

        assertThat(printed(table, narrow)).containsExactly("A", "as long as it may be");
        assertThat(printed(table.rows(JSON.readTree("[{\"a\": \"a\", \"b\": \"y\"}," + wide + "]")), narrow))
                .containsExactly("a", "as long as it may be");
    }

    @Test
    void wideAndCombiningCharactersCountAsWhatTheyTake() throws JsonProcessingException {
        TextTable table = pairs("""
                [{"a": "会話会話会話", "b": "x"}, {"a": "e\\u0301e\\u0301", "b": "y"}, {"a": "👋", "b": "z"}]""");

        assertThat(printed(table, new Terminal(Map.of(), false)))
                .containsExactly("A             B", "会話会話会話  x", "e\u0301e\u0301            y", "👋            z");
        assertThat(TextWidth.cut("会話会話会話", 8)).isEqualTo("会話会…");
        assertThat(TextWidth.cut("会話会話会話", 12)).isEqualTo("会話会話会話");
    }

    @Test
    void whatAStrangerWroteBreaksNoLine() throws JsonProcessingException {
        TextTable table = pairs("""
                [{"a": "x\\ny\\u001b[2J", "b": "z\\u202e"}]""");

        assertThat(printed(table, new Terminal(Map.of(), false)))
                .containsExactly("A             B", "x y\\u001b[2J  z\\u202e");
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

    private static TextTable letters() throws JsonProcessingException {
        return new TextTable(
                        Column.of("CONSUMER", Shown::text, "consumer"),
                        Column.of("SIZE", Shown::text, "size"),
                        new Column("LAST", letter -> Shown.time(Shown.text(letter, "last"), "2026-01-31")),
                        Column.of("ERROR", Shown::text, "error"))
                .dropping("SIZE")
                .lastBelow()
                .rows(JSON.readTree("""
                        [{"consumer": "forward", "size": "12.0 KiB", "last": "2026-01-31T10:20:30.123Z", "error": "a b c d e f"},
                         {"consumer": "archive", "size": "12.0 KiB", "last": "2026-01-30T10:20:30.123Z"}]"""));
    }

    @Test
    void whereThereIsLittleRoomTimesAreShortThenErrorsBelowThenColumnsLeftOut() throws JsonProcessingException {
        assertThat(printed(letters(), new Terminal(Map.of("COLUMNS", "10"), false)))
                .containsExactly(
                        "CONSUMER  SIZE      LAST                  ERROR",
                        "forward   12.0 KiB  2026-01-31T10:20:30Z  a b c d e f",
                        "archive   12.0 KiB  2026-01-30T10:20:30Z  -");
        assertThat(printed(letters(), terminal(Map.of("COLUMNS", "47", "NO_COLOR", "1"))))
                .containsExactly(
                        "CONSUMER  SIZE      LAST          ERROR",
                        "forward   12.0 KiB  10:20:30Z     a b c d e f",
                        "archive   12.0 KiB  01-30 10:20Z  -");
        assertThat(printed(letters(), terminal(Map.of("COLUMNS", "40", "NO_COLOR", "1"))))
                .containsExactly(
                        "CONSUMER  SIZE      LAST",
                        "forward   12.0 KiB  10:20:30Z",
                        "    a b c d e f",
                        "archive   12.0 KiB  01-30 10:20Z");
        assertThat(printed(letters(), terminal(Map.of("COLUMNS", "22", "NO_COLOR", "1"))))
                .containsExactly("CONSUMER  LAST", "forward   10:20:30Z", "    a b c d e f", "archive   01-30 10:20Z");
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
