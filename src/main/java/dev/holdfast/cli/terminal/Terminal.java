package dev.holdfast.cli.terminal;

import java.io.Console;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A verb's output: whether somebody watches it, how wide it may be, and whether it may have colours. */
public final class Terminal {
    /** No limit: output to a pipe is never cut. */
    public static final int UNLIMITED = Integer.MAX_VALUE;

    private final Map<String, String> environment;
    private final boolean interactive;
    private @Nullable TerminalSize size;

    /** @param interactive whether standard output is a terminal */
    public Terminal(Map<String, String> environment, boolean interactive) {
        this.environment = environment;
        this.interactive = interactive;
    }

    /**
     * Whether this process has a terminal. Newer versions of Java have a console even without one, and another method
     * to find out.
     */
    @SuppressWarnings("SystemConsoleNull")
    public static boolean isThere() {
        Console console = System.console();
        if (console == null) {
            return false;
        }
        try {
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (ReflectiveOperationException e) {
            return true;
        }
    }

    public boolean isInteractive() {
        return interactive;
    }

    /** The variable {@code COLUMNS}, else what the terminal says; {@link #UNLIMITED} without one, whatever the variable says. */
    public int columns() {
        return interactive ? of("COLUMNS", size().columns()) : UNLIMITED;
    }

    /** The variable {@code LINES}, else what the terminal says; {@link #UNLIMITED} without one. */
    public int rows() {
        return interactive ? of("LINES", size().rows()) : UNLIMITED;
    }

    private int of(String variable, int measured) {
        String given = environment.getOrDefault(variable, "");
        return given.matches("[1-9]\\d{0,5}") ? Integer.parseInt(given) : measured;
    }

    /** Measured once: it costs a process. */
    private TerminalSize size() {
        TerminalSize known = size;
        if (known == null) {
            known = TerminalSize.measure();
            size = known;
        }
        return known;
    }

    /** In colour on a terminal that has some, unless {@code NO_COLOR} asks for none. */
    public String paint(Style style, String text) {
        boolean colour = interactive
                && environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !environment.getOrDefault("TERM", "").equals("dumb");
        return colour ? style.paint(text) : text;
    }
}
