package dev.holdfast.cli.terminal;

import java.io.PrintWriter;

/** Nobody reads the output any more, as with {@code | head}: the verb ends at once, and says nothing. */
public final class OutputGoneException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OutputGoneException() {
        super("nobody reads standard output", null, false, false);
    }

    /**
     * Flushes, and throws if that failed. For verbs that go on printing, since a writer itself doesn't report failures.
     */
    public static void check(PrintWriter out) {
        if (out.checkError()) {
            throw new OutputGoneException();
        }
    }
}
