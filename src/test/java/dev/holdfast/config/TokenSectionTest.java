package dev.holdfast.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TokenSectionTest {
    private static final String RECEIVER = """
            receiver:
              endpoints: [{name: default, path: /webhook, secrets: ["0123456789abcdef-strong"]}]
            """;
    private static final String REQUIRED = RECEIVER + """
            token:
              base-url: https://platform.example/
              app-id: app
              app-secret: s3cret-app
            """;

    @TempDir
    Path directory;

    /** A token section with nothing but what is required. */
    static TokenConfig withDefaults(String baseUrl, String appId, String appSecret) {
        return new TokenConfig(
                URI.create(baseUrl),
                "/open/v1/oauth2/access-token",
                appId,
                new Secret(appSecret),
                null,
                0.8,
                0.05,
                TokenConfig.ExpiryUnit.SECONDS,
                Duration.ofSeconds(10),
                new RenewalConfig("/open/v1/oauth2/access-token", RenewalConfig.assumedParameters()),
                false,
                null,
                null);
    }

    @Test
    void runsNoTokenVerticleWithoutTheSection() throws IOException {
        assertThat(read(RECEIVER).config().token()).isNull();
        assertThat(read(RECEIVER + "token:\n").config().token()).isNull();
    }

    @Test
    void leavesEverythingElseToDefaults() throws IOException {
        assertThat(read(REQUIRED).config().token())
                .isEqualTo(withDefaults("https://platform.example", "app", "s3cret-app"));
    }

    @Test
    void readsEveryKey() throws IOException {
        TokenConfig token = token("""
                  path: /exchange
                  code: s3cret-code
                  renew-at: 0.5
                  jitter: 0
                  expires-in-unit: milliseconds
                  request-timeout: 2s
                  renewal:
                    path: /renew
                    parameters: {client: "{app-id}", token: "{refresh-token}", version: 2}
                  allow-http: true
                  trust: ca.pem
                  key: 0123456789abcdef-s3cret
                """);

        assertThat(token)
                .isEqualTo(new TokenConfig(
                        URI.create("https://platform.example"),
                        "/exchange",
                        "app",
                        new Secret("s3cret-app"),
                        new Secret("s3cret-code"),
                        0.5,
                        0,
                        TokenConfig.ExpiryUnit.MILLISECONDS,
                        Duration.ofSeconds(2),
                        new RenewalConfig(
                                "/renew", Map.of("client", "{app-id}", "token", "{refresh-token}", "version", "2")),
                        true,
                        Path.of("ca.pem"),
                        new Secret("0123456789abcdef-s3cret")));
        assertThat(Objects.requireNonNull(token.renewal()).parameters().keySet())
                .containsExactly("client", "token", "version");
    }

    @Test
    void takesNoneForNoRenewal() throws IOException {
        assertThat(token("  renewal: none\n").renewal()).isNull();
    }

    @Test
    void renewsOnTheExchangesPathUnlessToldOtherwise() throws IOException {
        assertThat(Objects.requireNonNull(token("  path: /x\n").renewal()).path())
                .isEqualTo("/x");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"http://127.0.0.1:9000", "http://localhost", "http://[::1]:9000/below", "https://x.example"})
    void baseUrlIsHttpsUnlessItIsLoopback(String url) throws IOException {
        LoadedConfig loaded = read(REQUIRED.replace("https://platform.example/", url));

        assertThat(Objects.requireNonNull(loaded.config().token()).baseUrl()).isEqualTo(URI.create(url));
    }

    @Test
    void baseUrlMayBeHttpElsewhereOnlyWhenAllowed() throws IOException {
        String yaml = REQUIRED.replace("https://platform.example/", "http://platform.example");

        assertThat(mistakes(yaml))
                .containsExactly("4: token.base-url: found \"http://platform.example\", over which others can read the"
                        + " secrets, expected https, a loopback address, or allow-http: true");
        assertThat(read(yaml + "  allow-http: true\n").config().token()).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "platform.example",
                "ftp://x",
                "https:///x",
                "https://x?y=1",
                "https://x#y",
                "'https://a b'",
                "https://x:0",
                "https://x:84443"
            })
    void anythingElseIsNoBaseUrl(String url) throws IOException {
        assertThat(mistakes(REQUIRED.replace("https://platform.example/", url)))
                .singleElement()
                .asString()
                .startsWith("4: token.base-url: found \"")
                .endsWith("\", expected a URL such as https://platform.example");
    }

    @Test
    void aPasswordInTheBaseUrlIsNotShown() throws IOException {
        assertThat(mistakes(REQUIRED.replace("https://platform", "https://me:s3cret@platform")))
                .containsExactly("4: token.base-url: found a URL with a user in it, which is not shown,"
                        + " expected a URL such as https://platform.example");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "renew-at: 1|renew-at: found \"1\", expected a number from 0.1 to 0.95",
                "renew-at: 0|renew-at: found \"0\", expected a number from 0.1 to 0.95",
                "jitter: 0.6|jitter: found \"0.6\", expected a number from 0.0 to 0.5",
                "expires-in-unit: minutes|expires-in-unit: found \"minutes\", expected seconds or milliseconds",
                "request-timeout: 0s|request-timeout: found \"0s\", expected a duration longer than 0s",
                "renewal: never|renewal: found \"never\", expected a section, or none",
                "renewal: {parameters: {a: b}}|renewal.parameters: found no {refresh-token}, expected a parameter with"
                        + " it, or renewal: none",
                "renewal: {parameters: {a: '{refresh-token}', b: '{code}'}}|renewal.parameters: found an unknown"
                        + " placeholder at b, expected one of [{app-id}, {app-secret}, {refresh-token}], or a plain value",
                "renewal: {parameters: [1]}|renewal.parameters: found a list, expected a section",
                "renewal: {parameters: {a: [1], b: '{refresh-token}'}}|renewal.parameters.a: found a list, expected a"
                        + " value",
                "colour: x|colour: found an unknown key, expected one of: base-url, path, app-id, app-secret, code,"
                        + " renew-at, jitter, expires-in-unit, request-timeout, renewal, allow-http, trust, key",
            })
    void namesWhatIsWrong(String yaml, String expected) throws IOException {
        assertThat(mistakes(REQUIRED + "  " + yaml + "\n").get(0)).isEqualTo("7: token." + expected);
    }

    @Test
    void jitterStaysBelowTheRenewalPoint() throws IOException {
        assertThat(mistakes(REQUIRED + "  renew-at: 0.3\n  jitter: 0.4\n"))
                .containsExactly("8: token.jitter: found 0.4, expected less than renew-at, which is 0.3");
    }

    @Test
    void namesWhatIsMissing() throws IOException {
        assertThat(mistakes(RECEIVER + "token: {code: x}\n"))
                .containsExactly(
                        "3: token.base-url: found nothing, expected a URL such as https://platform.example",
                        "3: token.app-id: found nothing, expected an application's identifier",
                        "3: token.app-secret: found nothing, expected a secret");
    }

    @Test
    void warnsOfAKeyThatCanBeGuessed() throws IOException {
        assertThat(read(REQUIRED + "  key: s3cret\n").warnings())
                .singleElement()
                .asString()
                .endsWith("token.key: found a key of less than 128 bits, expected more: whoever has the file can guess"
                        + " it")
                .doesNotContain("s3cret");
    }

    @Test
    void warnsOfWhiteSpaceAroundEachOfItsSecrets() throws IOException {
        assertThat(read(REQUIRED.replaceFirst("app-secret: .*", "app-secret: 's3cret '")
                                + "  code: ' s3cret'\n  key: \"s3cret-s3cret-s3cret\\n\"\n")
                        .warnings())
                .hasSize(3)
                .allMatch(warning -> warning.contains(": found a secret that begins or ends with white space,"))
                .noneMatch(warning -> warning.contains("s3cret"))
                .extracting(warning -> warning.replaceFirst(".*(token[^:]+):.*", "$1"))
                .containsExactlyInAnyOrder("token.app-secret", "token.code", "token.key");
    }

    @Test
    void showsNoSecret() throws IOException {
        HoldfastConfig config = read(REQUIRED + """
                  code: s3cret-code
                  key: s3cret-key-0123456789
                  renewal: {parameters: {a: s3cret-literal, b: "{refresh-token}"}}
                """).config();

        assertThat(config.toString()).contains("platform.example").doesNotContain("s3cret");
        assertThat(EffectiveConfig.render(config))
                .doesNotContain("s3cret")
                .contains("token.app-secret: ********", "token.code: ********", "token.expires-in-unit: seconds")
                .contains("token.renewal.parameters: {a=********, b=********}");
    }

    private TokenConfig token(String more) throws IOException {
        return Objects.requireNonNull(read(REQUIRED + more).config().token());
    }

    private LoadedConfig read(String yaml) throws IOException {
        return ConfigLoader.read(file(yaml), Map.of());
    }

    private List<String> mistakes(String yaml) throws IOException {
        Path file = file(yaml);
        ConfigException failure = catchThrowableOfType(ConfigException.class, () -> ConfigLoader.read(file, Map.of()));
        return failure.problems().stream()
                .map(problem -> problem.replace(file + ":", ""))
                .toList();
    }

    private Path file(String yaml) throws IOException {
        return Files.writeString(directory.resolve("holdfast.yaml"), yaml);
    }
}
