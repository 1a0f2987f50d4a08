package dev.holdfast.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.CliEnvironment;
import dev.holdfast.cli.HoldfastCommand;
import dev.holdfast.config.ConsumerCheck;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A verb of the command line that asked a running gateway: its exit status and what it wrote. */
record Verb(int status, String out, String err) {
    static Verb run(GatewayUnderTest gateway, String group, String... verb) {
        List<String> args = new ArrayList<>(List.of(verb));
        args.add(0, group);
        args.addAll(
                List.of("--management", "http://127.0.0.1:" + gateway.gateway().managementPort()));
        return run(args);
    }

    /** One that asks no gateway. */
    static Verb offline(String... args) {
        return run(List.of(args));
    }

    /** With an environment of its own, and no other options than these. */
    static Verb in(Map<String, String> environment, String... args) {
        return run(environment, List.of(args));
    }

    private static Verb run(List<String> args) {
        return run(Map.of(), args);
    }

    private static Verb run(Map<String, String> environment, List<String> args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int status = execute(out, err, environment, false, args);
        return new Verb(status, out.toString(UTF_8), err.toString(UTF_8));
    }

    /**
     * Its exit status, when it has ended.
     *
     * @param terminal whether it believes to write to one
     */
    static int execute(OutputStream out, OutputStream err, boolean terminal, List<String> args) {
        Map<String, String> narrow = Map.of("COLUMNS", "80", "LINES", "200", "NO_COLOR", "1");
        return execute(out, err, terminal ? narrow : Map.of(), terminal, args);
    }

    private static int execute(
            OutputStream out, OutputStream err, Map<String, String> environment, boolean terminal, List<String> args) {
        CliEnvironment cli = new CliEnvironment(
                new ByteArrayInputStream(new byte[0]),
                new PrintWriter(out, true, UTF_8),
                out,
                new PrintWriter(err, true, UTF_8),
                environment,
                terminal);
        return HoldfastCommand.execute(
                cli,
                (config, watcher, opening) -> {
                    throw new IllegalStateException("no gateway is started");
                },
                ConsumerCheck.NONE,
                args.toArray(String[]::new));
    }

    /** What it wrote, when it did what it was told. */
    String done() {
        assertThat(status).as(err).isZero();
        return out;
    }
}
