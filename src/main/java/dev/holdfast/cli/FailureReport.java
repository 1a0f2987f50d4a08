package dev.holdfast.cli;

import dev.holdfast.config.ConfigException;
import dev.holdfast.logging.Logs;
import dev.holdfast.logging.Printable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/** Says in a line why a verb failed, without a stack trace; each problem of a configuration has its own line. */
final class FailureReport implements IExecutionExceptionHandler {
    @Override
    public int handleExecutionException(Exception failure, CommandLine verb, @Nullable ParseResult parsed) {
        if (failure instanceof OutputGoneException) {
            return ExitStatus.OUTPUT_GONE;
        }
        // What led to it comes first.
        Logs.flush();
        if (failure instanceof ConfigException config) {
            config.problems().forEach(verb.getErr()::println);
        } else {
            String name = failure.getClass().getSimpleName();
            String message = failure.getMessage();
            String text = message == null || message.isBlank() ? name : message;
            verb.getErr().println("holdfast: " + Printable.line(text));
        }
        return ExitStatus.FAILED;
    }
}
