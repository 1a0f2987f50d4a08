package dev.holdfast.cli.terminal;

/**
 * The meaning of a piece of text, shown by its colour (ECMA-48, SGR) where there are colours: {@link Terminal#paint}.
 */
public enum Style {
    PLAIN(""),
    BOLD("1"),
    DIM("2"),
    GOOD("32"),
    WARNING("33"),
    BAD("31"),
    ACCENT("36");

    private final String code;

    Style(String code) {
        this.code = code;
    }

    String paint(String text) {
        return code.isEmpty() || text.isEmpty() ? text : "\u001b[" + code + "m" + text + "\u001b[0m";
    }
}
