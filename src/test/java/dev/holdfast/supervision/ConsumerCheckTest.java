package dev.holdfast.supervision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.holdfast.config.ConfigException;
import dev.holdfast.config.ConfigLoader;
import dev.holdfast.consumer.PushConsumer;
import dev.holdfast.gateway.RecordingConsumer;
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
                  endpoints: [{name: a, path: /a, secrets: ["0123456789-s3cret"], signature-header: Brand-Signature}]
                plugins: none
                consumers:
                  - name: mine
                    events: ["*"]
                    timeout: 30s
                """ + consumer.indent(4));
    }

    private static String http(String options) {
        return "verticle: http\noptions:\n  url: https://host/\n  " + options;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void aMistakeIsNamedWithFileLineAndKey(String consumer, String expected) throws IOException {
        Path file = write(directory, consumer);

        ConfigException mistake =
                catchThrowableOfType(ConfigException.class, () -> ConfigLoader.read(file, Map.of(), Consumers::check));

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
                        "verticle: http\noptions:\n  max-response: 3\n  url: ftp://user:hidden@host/",
                        "11: consumers[0].options.url: found a value that is not shown, expected a URL such as"
                                + " https://receiver.example/webhook"),
                arguments(
                        "verticle: http\noptions:\n  url: http://host/\n  format: xml",
                        "11: consumers[0].options.format: found a value that is not shown, expected one of: push,"
                                + " cloudevents"),
                arguments(
                        "verticle: http\noptions: {url: http://host/, request-timeout: 31s}",
                        "9: consumers[0].options.request-timeout: found more than the consumer's timeout, expected at"
                                + " most that: 30s"),
                arguments(http("headers: [a]"), "11: consumers[0].options.headers: found a list, expected a section"),
                arguments(
                        http("headers:\n    X-Api-Key: hidden\n    X-List: [hidden]"),
                        "13: consumers[0].options.headers.X-List: found a list, expected a value"),
                arguments(
                        http("headers:\n    X.Api.Key: \"hidden\\n\""),
                        "12: consumers[0].options.headers.X.Api.Key: found a value that is not shown, expected visible"
                                + " ASCII, with blanks only inside"),
                arguments(
                        http("headers:\n    X Api Key: hidden"),
                        "12: consumers[0].options.headers.X…: found no header's name, expected one such as"
                                + " X-Api-Key"),
                arguments(
                        http("headers:\n    Transfer-encoding: hidden"),
                        "12: consumers[0].options.headers.Transfer-encoding: found a header that HTTP itself uses,"
                                + " expected another one"),
                arguments(
                        http("headers:\n    HOST: hidden"),
                        "12: consumers[0].options.headers.HOST: found a header that HTTP itself uses, expected another"
                                + " one"),
                arguments(
                        http("headers:\n    content-length: 5"),
                        "12: consumers[0].options.headers.content-length: found a header that HTTP itself uses,"
                                + " expected another one"),
                arguments(
                        http("headers:\n    service-signature: hidden"),
                        "12: consumers[0].options.headers.service-signature: found the header of an endpoint's"
                                + " signature, expected another one"),
                arguments(
                        http("headers:\n    brand-signature: hidden"),
                        "12: consumers[0].options.headers.brand-signature: found the header of an endpoint's signature,"
                                + " expected another one"),
                arguments(
                        http("headers:\n    Holdfast-Seq: 5"),
                        "12: consumers[0].options.headers.Holdfast-Seq: found a header that each push has its own of,"
                                + " expected another one"),
                arguments(
                        http("headers: {X-Key: hidden, x-key: hidden}"),
                        "11: consumers[0].options.headers.x-key: found the header once more in other letters, expected"
                                + " each header once"),
                arguments(
                        http("bearer-token: hid den"),
                        "11: consumers[0].options.bearer-token: found a value that is not shown, expected visible ASCII"
                                + " without blanks"),
                arguments(
                        http("headers: {authorization: hidden}\n  bearer-token: hidden"),
                        "12: consumers[0].options.bearer-token: found a token beside a header Authorization, expected"
                                + " one of the two"),
                arguments(
                        "verticle: http\noptions:\n  url: https://user:hidden@host/\n  bearer-token: hidden",
                        "11: consumers[0].options.bearer-token: found a token beside a user in the url, expected one of"
                                + " the two"),
                arguments(
                        http("client-certificate: conf/own.crt"),
                        "11: consumers[0].options.client-certificate: found a single value, expected a section"),
                arguments(
                        http("client-certificate:\n    certificate: none/own.crt"),
                        "11: consumers[0].options.client-certificate.key: found nothing, expected a path"),
                arguments(
                        http("client-certificate:\n    key: none/own.key\n    certificate: none/own.crt"),
                        "13: consumers[0].options.client-certificate.certificate: found none/own.crt, which does"
                                + " not exist, expected a PEM file with certificates"),
                arguments(
                        http("client-certificate:\n    key: none/own.key\n    password: hidden"),
                        "13: consumers[0].options.client-certificate.password: found an unknown key, expected one of:"
                                + " certificate, key"),
                arguments(
                        "verticle: http\noptions:\n  url: http://host/\n  client-certificate: {}",
                        "11: consumers[0].options.client-certificate: found one for a url without TLS, expected a url"
                                + " with https"),
                arguments(
                        http("proxy: https://user:hidden@proxy:3128"),
                        "11: consumers[0].options.proxy: found a value that is not shown, expected a URL such as"
                                + " http://proxy.example:3128 or http://user:password@proxy.example:3128"),
                arguments(
                        http("proxy: http://proxy:3128/path"),
                        "11: consumers[0].options.proxy: found a value that is not shown, expected a URL such as"
                                + " http://proxy.example:3128 or http://user:password@proxy.example:3128"),
                arguments(
                        "verticle: file\noptions: {gzip: true}",
                        "9: consumers[0].options.directory: found nothing, expected a path"),
                arguments(
                        "verticle: com.example.Missing",
                        "8: consumers[0].verticle: found no class com.example.Missing (looked in the gateway itself;"
                                + " there was no jar in none/ as this process started, and jars are read only then), expected a class name or one of [file, http, log]"),
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

        assertThat(ConfigLoader.read(file, Map.of(), Consumers::check).config().consumers())
                .hasSize(1);
    }
}
