package dev.holdfast.cli;

import dev.holdfast.config.ConsumerCheck;
import dev.holdfast.config.HoldfastConfig;
import dev.holdfast.push.PushWatcher;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
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
        StringWriter err = new StringWriter();
        ByteArrayInputStream body = new ByteArrayInputStream(in.getBytes(StandardCharsets.UTF_8));
        CliEnvironment cli = new CliEnvironment(
                body, new PrintWriter(out, true, StandardCharsets.UTF_8), out, new PrintWriter(err, true), environment);
        int status = HoldfastCommand.execute(cli, CommandLineRun::noGateway, check, args);
        return new CommandLineRun(status, out.toString(StandardCharsets.UTF_8), err.toString());
    }

    private static RunningGateway noGateway(HoldfastConfig config, PushWatcher watcher) {
        throw new IllegalStateException("this test starts no gateway");
    }
}
