package dev.holdfast.cli;

import static dev.holdfast.cli.HoldfastCommandTest.lines;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ValidateCommandTest {
    private static final Map<String, String> ENVIRONMENT = Map.of("HOLDFAST_SECRET", "0123456789-s3cret");

    @TempDir
    Path directory;

    @Test
    void takesTheShippedConfigurationWithoutBeingTold() {
        assertThat(CommandLineRun.of("", ENVIRONMENT, "validate"))
                .isEqualTo(new CommandLineRun(0, lines("conf/holdfast.yaml is valid: 1 endpoint, 2 consumers"), ""));
    }

    @Test
    void showsEveryProblemInALine() throws IOException {
        Path file = Files.writeString(
                directory.resolve("my.yaml"), "plugins: [1]\njournal: x\nreceiver: {endpoints: []}\n");

        assertThat(CommandLineRun.of("", ENVIRONMENT, "validate", "-c", file.toString()))
                .isEqualTo(new CommandLineRun(
                        1,
                        "",
                        lines(
                                file + ":1: plugins: found a list, expected a path",
                                file + ":2: journal: found a single value, expected a section",
                                file + ":3: receiver.endpoints: found nothing, expected at least one endpoint")));
    }

    @Test
    void showsWarningsAndIsDone() throws IOException {
        Path file = Files.writeString(
                directory.resolve("my.yaml"),
                "receiver: {endpoints: [{name: a, path: /a, secrets: [short]}, {name: b, path: /b, secrets: [short]}]}");

        CommandLineRun run = CommandLineRun.of("", ENVIRONMENT, "validate", "--config=" + file);

        assertThat(run.status()).isZero();
        assertThat(run.out()).isEqualTo(lines(file + " is valid: 2 endpoints, 0 consumers"));
        assertThat(run.err()).startsWith("warning: " + file + ":1: receiver.endpoints[0].secrets[0]: found a secret");
    }

    @Test
    void looksAtTheConsumersToo() throws IOException {
        Path file = Files.writeString(
                directory.resolve("my.yaml"),
                "receiver: {endpoints: [{name: a, path: /a, secrets: [0123456789-s3cret]}]}\n"
                        + "consumers: [{name: c, events: [\"*\"], verticle: mine}]");

        CommandLineRun run = CommandLineRun.of(
                "",
                ENVIRONMENT,
                (consumer, endpoints, plugins, files) -> {
                    throw new IllegalArgumentException("found " + consumer.verticle() + " in " + plugins);
                },
                "validate",
                "-c",
                file.toString());

        assertThat(run)
                .isEqualTo(new CommandLineRun(1, "", lines(file + ":2: consumers[0].verticle: found mine in plugins")));
    }

    @Test
    void failsInOneLineWhenThereIsNoFile() {
        assertThat(CommandLineRun.of("validate", "-c", "no/such.yaml"))
                .isEqualTo(new CommandLineRun(1, "", lines("no/such.yaml: found no such file, expected a YAML file")));
    }
}
