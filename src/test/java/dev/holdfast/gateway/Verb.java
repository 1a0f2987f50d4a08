package dev.holdfast.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.CliEnvironment;
import dev.holdfast.cli.HoldfastCommand;
import dev.holdfast.config.ConsumerCheck;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
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

    private static Verb run(List<String> args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        StringWriter err = new StringWriter();
        CliEnvironment cli = new CliEnvironment(
                new ByteArrayInputStream(new byte[0]),
                new PrintWriter(out, true, StandardCharsets.UTF_8),
                out,
                new PrintWriter(err, true),
                Map.of());
        int status = HoldfastCommand.execute(
                cli,
                (config, watcher) -> {
                    throw new IllegalStateException("no gateway is started");
                },
                ConsumerCheck.NONE,
                args.toArray(String[]::new));
        return new Verb(status, out.toString(StandardCharsets.UTF_8), err.toString());
    }

    /** What it wrote, when it did what it was told. */
    String done() {
        assertThat(status).as(err).isZero();
        return out;
    }
}
