package dev.holdfast.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.CliEnvironment;
import dev.holdfast.cli.HoldfastCommand;
import dev.holdfast.config.ConsumerCheck;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A verb of the command line that asked a running gateway: its exit status and what it wrote. */
record Verb(int status, String out, String err) {
    static Verb run(GatewayUnderTest gateway, String group, String... verb) {
        List<String> args = new ArrayList<>(List.of(group));
        args.addAll(List.of(verb));
        args.addAll(
                List.of("--management", "http://127.0.0.1:" + gateway.gateway().managementPort()));
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CliEnvironment cli = new CliEnvironment(
                new ByteArrayInputStream(new byte[0]),
                new PrintWriter(out, true),
                new PrintWriter(err, true),
                Map.of());
        int status = HoldfastCommand.execute(
                cli,
                (config, watcher) -> {
                    throw new IllegalStateException("no gateway is started");
                },
                ConsumerCheck.NONE,
                args.toArray(String[]::new));
        return new Verb(status, out.toString(), err.toString());
    }

    /** What it wrote, when it did what it was told. */
    String done() {
        assertThat(status).as(err).isZero();
        return out;
    }
}
