package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.cli.terminal.Progress;
import dev.holdfast.cli.terminal.Terminal;
import dev.holdfast.cli.terminal.TextWidth;
import dev.holdfast.config.Secret;
import dev.holdfast.logging.Printable;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/**
 * The options of every verb that asks a running gateway: which one, and how its answers are written. Also writes the
 * next command line to use.
 */
final class GatewayOptions {
    private static final String VARIABLE = "HOLDFAST_MANAGEMENT";
    private static final String TOKEN_VARIABLE = "HOLDFAST_MANAGEMENT_TOKEN";
    private static final String DEFAULT = "http://127.0.0.1:8081";
    private static final int LONGEST_SHOWN = 80;

    private final CliEnvironment cli;

    @Spec(Target.MIXEE)
    private CommandSpec verb = CommandSpec.create();

    @Option(
            names = "--management",
            paramLabel = "URL",
            description = "The running gateway's management port. Default: the environment variable " + VARIABLE
                    + ", when it is set, else " + DEFAULT)
    private @Nullable String url;

    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            description = "The management token, which others on this machine can see while the command runs. Default:"
                    + " the environment variable " + TOKEN_VARIABLE + ", when it is set.")
    private @Nullable String token;

    @Option(
            names = "--trust",
            paramLabel = "FILE",
            description = "A PEM file with the certificates to trust for https. Default: those that Java trusts.")
    private @Nullable Path trust;

    @Mixin
    private Output output = new Output();

    GatewayOptions(CliEnvironment cli) {
        this.cli = cli;
    }

    /** Asks for the next page. */
    interface Page {
        JsonNode ask() throws IOException, InterruptedException;
    }

    ManagementClient client() throws IOException {
        return new ManagementClient(address(), bearer(), trust == null ? null : trusting(trust));
    }

    /** Trusts the certificates in this file instead of Java's. */
    private static SSLContext trusting(Path file) throws IOException {
        try {
            SslContextBuilder builder = SslContextBuilder.forClient().sslProvider(SslProvider.JDK);
            return ((JdkSslContext) builder.trustManager(file.toFile()).build()).context();
        } catch (IllegalArgumentException | IOException e) {
            boolean read = Files.isRegularFile(file) && Files.isReadable(file);
            throw new IOException(
                    "--trust: found " + (read ? "no certificates in " : "no file that can be read at ") + file
                            + ", expected a PEM file with some certificates",
                    e);
        }
    }

    void show(JsonNode answer, Output.Words words) throws IOException {
        output.show(answer, out(), words);
    }

    /**
     * Gets the next page of an answer. If that fails, the pages so far are shown first, since they were found or done.
     *
     * @param before the pages so far, as one
     * @param page asks for the next one
     */
    JsonNode more(JsonNode before, Output.Words words, Progress progress, Page page)
            throws IOException, InterruptedException {
        try {
            return page.ask();
        } catch (IOException | InterruptedException e) {
            progress.end();
            show(before, words);
            throw e;
        }
    }

    /** A command line for the next step, which asks the same gateway. */
    String next(String line) {
        return line + (url == null || url.equals(usual()) ? "" : " --management " + url);
    }

    /**
     * A number among the arguments.
     *
     * @param label the argument's name
     * @param expected what else could be meant
     */
    long number(String label, String text, String expected) {
        try {
            return Long.parseUnsignedLong(text) < 0 ? Long.MAX_VALUE : Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw wrong(label, text, expected);
        }
    }

    /**
     * An argument as a part of a path. An empty one, and dots, would lead to another path and are refused.
     *
     * @param label the argument's name
     * @param expected what could be meant
     */
    String pathPart(String label, String text, String expected) {
        if (text.isEmpty() || text.equals(".") || text.equals("..")) {
            throw wrong(label, text, expected);
        }
        return RequestParameters.encoded(text);
    }

    /** A consumer's name as a part of a path. */
    String consumer(String label, String name) {
        return pathPart(label, name, "a consumer's name");
    }

    private ParameterException wrong(String label, String text, String expected) {
        String found = text.isEmpty() ? "nothing" : Printable.line(TextWidth.cut(text, LONGEST_SHOWN));
        return usedWrongly(label + ": found " + found + ", expected " + expected);
    }

    ParameterException usedWrongly(String why) {
        return new ParameterException(verb.commandLine(), why);
    }

    PrintWriter out() {
        return cli.out();
    }

    boolean isJson() {
        return output.isJson();
    }

    Terminal terminal() {
        return cli.terminal();
    }

    /** For progress of work that takes a while. */
    Progress progress() {
        return new Progress(cli.err(), cli.terminal());
    }

    private @Nullable Secret bearer() {
        String given = token != null ? token : cli.environment().getOrDefault(TOKEN_VARIABLE, "");
        Secret bearer = given.isEmpty() ? null : new Secret(given);
        if (bearer != null && !bearer.isHeaderValue()) {
            throw usedWrongly((token == null ? TOKEN_VARIABLE : "--token")
                    + ": found a token that is not shown, expected visible ASCII, with blanks only inside");
        }
        return bearer;
    }

    private String usual() {
        String variable = cli.environment().getOrDefault(VARIABLE, "");
        return variable.isEmpty() ? DEFAULT : variable;
    }

    private URI address() {
        String found = "no URL";
        try {
            URI address = URI.create((url == null ? usual() : url).replaceFirst("/+$", ""));
            boolean web = "http".equalsIgnoreCase(address.getScheme()) || "https".equalsIgnoreCase(address.getScheme());
            if (web && address.getHost() != null && address.getRawUserInfo() == null) {
                return address;
            }
            found = address.getRawUserInfo() == null ? found : "a URL with a user in it, which is not shown";
        } catch (IllegalArgumentException e) {
            // The message isn't shown either, since it may contain a password.
        }
        throw usedWrongly(
                (url == null ? VARIABLE : "--management") + ": found " + found + ", expected one such as " + DEFAULT);
    }
}
