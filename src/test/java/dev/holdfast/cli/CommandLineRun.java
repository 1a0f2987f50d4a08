package dev.holdfast.cli;

import dev.holdfast.config.ConsumerCheck;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** One command line with its exit status and what it wrote. */
record CommandLineRun(int status, String out, String err) {
    static CommandLineRun of(String... args) {
        return of("", Map.of(), args);
    }

    static CommandLineRun of(String in, Map<String, String> environment, String... args) {
        return of(in, environment, ConsumerCheck.NONE, args);
    }

    static CommandLineRun of(String in, Map<String, String> environment, ConsumerCheck check, String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        CommandLineRun run = into(out, in, environment, check, args);
        return new CommandLineRun(run.status(), out.toString(StandardCharsets.UTF_8), run.err());
    }

    /** What it wrote is where it was written to. */
    static CommandLineRun into(
            OutputStream out, String in, Map<String, String> environment, ConsumerCheck check, String... args) {
        StringWriter err = new StringWriter();
        ByteArrayInputStream body = new ByteArrayInputStream(in.getBytes(StandardCharsets.UTF_8));
        CliEnvironment cli = new CliEnvironment(
                body,
                new PrintWriter(out, true, StandardCharsets.UTF_8),
                out,
                new PrintWriter(err, true),
                environment,
                false);
        GatewayStarter none = (config, watcher, opening) -> {
            throw new IllegalStateException("this test starts no gateway");
        };
        return new CommandLineRun(HoldfastCommand.execute(cli, none, check, args), "", err.toString());
    }
}
