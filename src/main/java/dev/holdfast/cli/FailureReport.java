package dev.holdfast.cli;

import dev.holdfast.cli.terminal.OutputGoneException;
import dev.holdfast.config.ConfigException;
import dev.holdfast.logging.Logs;
import dev.holdfast.logging.Printable;
import java.nio.file.FileSystemException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/** Says in a line why a verb failed, without a stack trace; each problem of a configuration has its own line. */
final class FailureReport implements IExecutionExceptionHandler {
    private static final long MIB = 1024 * 1024;

    @Override
    public int handleExecutionException(Exception failure, CommandLine verb, @Nullable ParseResult parsed) {
        if (failure instanceof OutputGoneException) {
            return ExitStatus.OUTPUT_GONE;
        }
        if (failure instanceof ManagementClient.ProblemException problem && problem.isMisuse()) {
            return MistakeReport.report(verb, String.valueOf(problem.getMessage()));
        }
        // The outer causes come first.
        Logs.flush();
        if (failure instanceof ConfigException config) {
            config.problems().forEach(verb.getErr()::println);
        } else {
            verb.getErr().println("holdfast: " + Printable.line(words(failure)));
        }
        return ExitStatus.FAILED;
    }

    private static String words(Exception failure) {
        // Picocli gives an error of a verb's method with the method's signature.
        if (failure.getCause() instanceof OutOfMemoryError) {
            return "found more than fits into a heap of "
                    + Runtime.getRuntime().maxMemory() / MIB
                    + "MiB, expected less: ask for fewer at once, or set java -Xmx";
        }
        String name = failure.getClass().getSimpleName();
        String message = failure.getMessage();
        if (message == null || message.isBlank()) {
            return name;
        }
        // Some messages are nothing but the file's name.
        boolean nameOnly = failure instanceof FileSystemException file && file.getReason() == null;
        return nameOnly ? name + ": " + message : message;
    }
}
