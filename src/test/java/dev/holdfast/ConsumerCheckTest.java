package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.holdfast.config.ConfigException;
import dev.holdfast.config.ConfigLoader;
import dev.holdfast.consumer.PushConsumer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What would keep a consumer from starting is found in the configuration, without starting it. */
class ConsumerCheckTest {
    @TempDir
    Path directory;

    public abstract static class Sketch extends PushConsumer {}

    /** Must not be run to be checked. */
    public static final class Dangerous extends RecordingConsumer {
        static {
            fail();
        }

        public Dangerous() {
            fail();
        }

        private static void fail() {
            throw new IllegalStateException("was run");
        }
    }

    private static Path write(Path directory, String consumer) throws IOException {
        return Files.writeString(directory.resolve("holdfast.yaml"), """
                receiver:
                  endpoints: [{name: default, path: /webhook, secrets: ["0123456789-s3cret"]}]
                plugins: none
                consumers:
                  - name: mine
                    events: ["*"]
                    timeout: 30s
                """ + consumer.indent(4));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void aMistakeIsNamedWithFileLineAndKey(String consumer, String expected) throws IOException {
        Path file = write(directory, consumer);

        ConfigException mistake = catchThrowableOfType(
                ConfigException.class, () -> ConfigLoader.read(file, Map.of(), ConsumerVerticles::check));

        assertThat(mistake.problems()).containsExactly(file + ":" + expected);
    }

    static Stream<Arguments> aMistakeIsNamedWithFileLineAndKey() {
        return Stream.of(
                arguments("verticle: http", "5: consumers[0].options.url: found nothing, expected a value"),
                arguments("verticle: http\noptions:", "9: consumers[0].options.url: found nothing, expected a value"),
                arguments(
                        "verticle: http\noptions:\n  url: ''",
                        "10: consumers[0].options.url: found a value that is not shown, expected a URL such as"
                                + " https://receiver.example/webhook"),
                arguments(
                        "verticle: http\noptions:\n  connections: 3\n  url: ftp://user:hidden@host/",
                        "11: consumers[0].options.url: found a value that is not shown, expected a URL such as"
                                + " https://receiver.example/webhook"),
                arguments(
                        "verticle: http\noptions:\n  url: http://host/\n  format: xml",
                        "11: consumers[0].options.format: found a value that is not shown, expected one of: push,"
                                + " cloudevents"),
                arguments(
                        "verticle: http\noptions:\n  url: http://host/\n  connections: 0",
                        "11: consumers[0].options.connections: found a value that is not shown, expected a whole number"
                                + " from 1 to 10000"),
                arguments(
                        "verticle: http\noptions: {url: http://host/, request-timeout: 31s}",
                        "9: consumers[0].options.request-timeout: found more than the consumer's timeout, expected at"
                                + " most that: 30s"),
                arguments(
                        "verticle: file\noptions: {gzip: true}",
                        "9: consumers[0].options.directory: found nothing, expected a path"),
                arguments(
                        "verticle: com.example.Missing",
                        "8: consumers[0].verticle: found no class com.example.Missing (looked in the gateway itself;"
                                + " there is no jar in none/), expected a class name or one of [file, http, log]"),
                arguments(
                        "verticle: java.lang.String",
                        "8: consumers[0].verticle: found class java.lang.String, expected one that extends"
                                + " dev.holdfast.consumer.PushConsumer"),
                arguments(
                        "verticle: " + Sketch.class.getName(),
                        "8: consumers[0].verticle: class " + Sketch.class.getName() + " is abstract"));
    }

    @Test
    void noneOfItsCodeIsRun() throws IOException {
        Path file = write(directory, "verticle: " + Dangerous.class.getName());

        assertThat(ConfigLoader.read(file, Map.of(), ConsumerVerticles::check)
                        .config()
                        .consumers())
                .hasSize(1);
    }
}
