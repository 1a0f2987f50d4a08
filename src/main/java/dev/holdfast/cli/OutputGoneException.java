package dev.holdfast.cli;

import java.io.PrintWriter;

/** Nobody reads the results any more, as behind {@code | head}: the verb ends at once, and says nothing. */
final class OutputGoneException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OutputGoneException() {
        super("nobody reads standard output", null, false, false);
    }

    /** Passes on what was printed. For verbs that go on printing: a writer keeps to itself that it can't. */
    static void check(PrintWriter out) {
        if (out.checkError()) {
            throw new OutputGoneException();
        }
    }
}
