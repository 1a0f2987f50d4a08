package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.cli.terminal.Progress;
import dev.holdfast.cli.terminal.Shown;
import dev.holdfast.cli.terminal.Style;
import dev.holdfast.cli.terminal.Terminal;
import dev.holdfast.cli.terminal.TextWidth;
import java.io.IOException;
import java.io.PrintWriter;

/** Shows pushes as they come, a line each. A column is as wide as the widest cell so far. */
final class TapLines {
    private static final int TIME_FROM = 11;
    private static final int TIME_TO = 23;
    private static final int WIDEST = 32;

    private final PrintWriter out;
    private final Terminal terminal;
    private final Progress beside;
    /** Widths of the columns event, endpoint and enterprise. */
    private final int[] widths = {20, 7, 10};

    private int seqWidth = 6;

    /** @param beside gets lines that are no pushes */
    TapLines(PrintWriter out, Terminal terminal, Progress beside) {
        this.out = out;
        this.terminal = terminal;
        this.beside = beside;
    }

    void push(JsonNode push) throws IOException {
        String time = push.path("receivedAt").asText();
        String seq = push.path("seq").asText();
        seqWidth = Math.max(seqWidth, seq.length());
        String left = (time.length() > TIME_TO ? time.substring(TIME_FROM, TIME_TO) : time) + "  "
                + TextWidth.pad(seq, seqWidth, true) + "  ";
        String event = column(0, push, "event");
        String rest = "  " + column(1, push, "endpoint") + "  " + column(2, push, "enterprise") + "  "
                + TextWidth.pad(Shown.bytes(push.path("bytes").asLong()), 10, true)
                + (push.path("late").asBoolean() ? "  late" : "");
        int room = terminal.columns() - TextWidth.of(left) - TextWidth.of(event);
        out.println(terminal.paint(Style.DIM, left)
                + terminal.paint(Style.ACCENT, event)
                + (room > 1 ? TextWidth.cut(rest, room) : ""));
        if (push.has("body")) {
            out.println(Shown.body(push));
        }
    }

    private String column(int index, JsonNode push, String field) {
        String text = TextWidth.cut(Shown.text(push, field), WIDEST);
        widths[index] = Math.max(widths[index], TextWidth.of(text));
        return TextWidth.pad(text, widths[index], false);
    }

    void dropped(long count) {
        beside.say("… " + count + " left out: more than --rate, or than this reader took");
    }
}
