package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.logging.Printable;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A verb that asks a running gateway something and shows the answer. */
abstract class GatewayCommand implements Callable<Integer> {
    /** What is expected where a consumer is named. */
    static final String CONSUMER = "a consumer's name";

    private static final int NOT_UNDERSTOOD = 400;
    private static final int LONGEST_SHOWN = 80;

    private final CliEnvironment cli;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ManagementAddress gateway = new ManagementAddress();

    @Option(names = "--output", paramLabel = "FORM", description = "How to write it: text or json. Default: text")
    private OutputFormat output = OutputFormat.text;

    GatewayCommand(CliEnvironment cli) {
        this.cli = cli;
    }

    abstract ManagementClient.Answer ask(ManagementClient client) throws IOException, InterruptedException;

    /** Writes an answer that is no error, in words. */
    abstract void print(JsonNode answer, PrintWriter out) throws IOException;

    /** The exit status for an answer that is no error. */
    int status(JsonNode answer) {
        return ExitStatus.DONE;
    }

    @Override
    public final Integer call() throws IOException, InterruptedException {
        return run(gateway.client(cli.environment()));
    }

    /** Asks once, and shows the answer. */
    int run(ManagementClient client) throws IOException, InterruptedException {
        ManagementClient.Answer answer = ask(client);
        JsonNode json = answer.json();
        String problem = answer.problem();
        if (problem != null) {
            if (answer.status() == NOT_UNDERSTOOD) {
                throw usedWrongly(problem);
            }
            throw new IOException(problem);
        }
        show(json);
        return status(json);
    }

    private void show(JsonNode answer) throws IOException {
        if (isJson()) {
            out().println(Printable.json(answer.toString()));
        } else {
            print(answer, out());
        }
    }

    /** Asks for what follows. */
    interface Page {
        ManagementClient.Answer ask() throws IOException, InterruptedException;
    }

    /**
     * Goes on with an answer that comes by pages. When that goes wrong what came before is shown first: it was found, or done.
     *
     * @param before what came before, all of it
     * @param page asks for the next one
     */
    final ManagementClient.Answer more(JsonNode before, Progress progress, Page page)
            throws IOException, InterruptedException {
        boolean came = false;
        try {
            ManagementClient.Answer more = page.ask();
            came = more.problem() == null;
            return more;
        } finally {
            if (!came) {
                progress.end();
                show(before);
            }
        }
    }

    /** A command line for what to look at next: it asks the same gateway. */
    final String next(String verb) {
        return verb + gateway.repeated(cli.environment());
    }

    /**
     * A number among the arguments.
     *
     * @param label the argument's name
     * @param expected what else could be meant
     */
    final long number(String label, String text, String expected) {
        try {
            return Long.parseUnsignedLong(text) < 0 ? Long.MAX_VALUE : Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw wrong(label, text, expected);
        }
    }

    /**
     * An argument as a part of a path, where nothing at all and dots would lead to another one.
     *
     * @param label the argument's name
     * @param expected what could be meant
     */
    final String pathPart(String label, String text, String expected) {
        if (text.isEmpty() || text.equals(".") || text.equals("..")) {
            throw wrong(label, text, expected);
        }
        return RequestParameters.encoded(text);
    }

    private ParameterException wrong(String label, String text, String expected) {
        String found = text.isEmpty() ? "nothing" : Printable.line(TextWidth.cut(text, LONGEST_SHOWN));
        return usedWrongly(label + ": found " + found + ", expected " + expected);
    }

    final PrintWriter out() {
        return cli.out();
    }

    final boolean isJson() {
        return output == OutputFormat.json;
    }

    final Terminal terminal() {
        return cli.terminal();
    }

    /** Tells of work that takes a while. */
    final Progress progress() {
        return new Progress(cli.err(), cli.terminal());
    }

    final ParameterException usedWrongly(String why) {
        return new ParameterException(spec.commandLine(), why);
    }
}
