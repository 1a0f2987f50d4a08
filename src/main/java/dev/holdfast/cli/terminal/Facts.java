package dev.holdfast.cli.terminal;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;

/** Describes one thing, with a line for each fact: its name and its value. */
public final class Facts {
    private static final int NAME_WIDTH = 16;

    private final PrintWriter out;
    private final Terminal terminal;

    public Facts(PrintWriter out, Terminal terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    public void say(String name, String value) {
        say(name, Style.PLAIN, value);
    }

    public void say(String name, Style style, String value) {
        String label = terminal.paint(Style.DIM, TextWidth.pad(name, NAME_WIDTH, false));
        for (String line : TextWidth.wrap(value, terminal.columns() - NAME_WIDTH)) {
            out.println(label + terminal.paint(style, line));
            label = " ".repeat(NAME_WIDTH);
        }
    }

    /** Adds the facts that a list of pushes has. */
    public void push(JsonNode push) {
        say("seq", Shown.text(push, "seq"));
        say("event", Style.ACCENT, Shown.text(push, "event"));
        say("received", Shown.text(push, "receivedAt") + (push.path("late").asBoolean() ? ", late" : ""));
        say("endpoint", Shown.text(push, "endpoint"));
        say("enterprise", Shown.text(push, "enterprise"));
        say("id", Shown.text(push, "id"));
        say("size", Shown.bytes(push.path("bytes").asLong()));
    }
}
