package dev.holdfast.cli;

import dev.holdfast.cli.terminal.StandardOutput;
import dev.holdfast.cli.terminal.Terminal;
import dev.holdfast.logging.TextCharset;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * The command line's surroundings, handed in so that a test can hand in its own.
 *
 * @param in where a body is read from
 * @param out results
 * @param bytes the same as {@code out}, for results that are written byte by byte
 * @param err errors and usage
 * @param environment the environment variables
 * @param interactive whether standard output is a terminal
 */
public record CliEnvironment(
        InputStream in,
        PrintWriter out,
        OutputStream bytes,
        PrintWriter err,
        Map<String, String> environment,
        boolean interactive) {

    /** The surroundings of this process. */
    public static CliEnvironment ofProcess() {
        OutputStream out = StandardOutput.ofProcess();
        boolean interactive = Terminal.isThere();
        // Programs expect UTF-8, and JSON is always UTF-8.
        Charset charset = interactive ? TextCharset.ofLocale() : StandardCharsets.UTF_8;
        return new CliEnvironment(
                System.in,
                new PrintWriter(out, true, charset),
                out,
                new PrintWriter(System.err, true, TextCharset.ofLocale()),
                System.getenv(),
                interactive);
    }

    Terminal terminal() {
        return new Terminal(environment, interactive);
    }

    /**
     * The exit status when {@code out} has failed. If its reader has gone, nothing is said; if it can't be written,
     * that is said.
     */
    int outputFailed() {
        String why = bytes instanceof StandardOutput output ? output.failure() : null;
        if (why == null) {
            return ExitStatus.OUTPUT_GONE;
        }
        err.println("holdfast: " + why);
        return ExitStatus.FAILED;
    }
}
