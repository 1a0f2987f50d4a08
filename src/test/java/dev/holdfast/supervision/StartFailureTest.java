package dev.holdfast.supervision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ConfigLoader;
import dev.holdfast.config.ConsumerConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StartFailureTest {
    @TempDir
    Path directory;

    @Test
    void anOptionOfManyLinesIsNotShownOnOne() throws IOException {
        Path file = Files.writeString(directory.resolve("holdfast.yaml"), """
                receiver: {endpoints: [{name: default, path: /webhook, secrets: [a-secret-of-the-tests-that-is-long]}]}
                consumers: [{name: mine, events: ["*"], verticle: log, options: {account: "one\\ntwo\\n"}}]
                """);
        ConsumerConfig config =
                ConfigLoader.read(file, Map.of()).config().consumers().get(0);

        assertThat(StartFailure.line(new IllegalStateException("can't read\none\ntwo\n here"), config))
                .isEqualTo("IllegalStateException: can't read (options.account) here");
    }
}
