package dev.holdfast.cli;

import static dev.holdfast.cli.HoldfastCommandTest.lines;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code sign} and {@code verify}. */
class SignatureCommandsTest {
    private static final String BODY = "{\"event\":\"client.created\",\"name\":\"\u5bc6\"}";
    /** {@code printf %s BODY SECRET | sha1sum}. */
    private static final String SIGNATURE = "09bbc7c3faca0967ec2351a020c8d6c7a69037dd";

    private static final Map<String, String> NONE = Map.of();

    @TempDir
    Path directory;

    @Test
    void signsWithTheUsualVariable() {
        assertThat(CommandLineRun.of(BODY, Map.of("HOLDFAST_SECRET", "s3cret"), "sign"))
                .isEqualTo(new CommandLineRun(0, lines(SIGNATURE), ""));
    }

    @Test
    void signsWithANamedVariableAFileOrTheSecretItself() throws IOException {
        Path file = Files.writeString(directory.resolve("secret"), "s3cret\n");

        CommandLineRun signed = new CommandLineRun(0, lines(SIGNATURE), "");
        assertThat(CommandLineRun.of(BODY, Map.of("MINE", "s3cret"), "sign", "--secret-env", "MINE"))
                .isEqualTo(signed);
        assertThat(CommandLineRun.of(BODY, NONE, "sign", "--secret-file", file.toString()))
                .isEqualTo(signed);
        assertThat(CommandLineRun.of(BODY, NONE, "sign", "--secret", "s3cret")).isEqualTo(signed);
    }

    @Test
    void aSecretMayBeginWithAnAt() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "other");
        for (String secret : List.of("@@s3cret", "@" + file)) {
            assertThat(CommandLineRun.of(BODY, NONE, "sign", "--secret", secret))
                    .isEqualTo(CommandLineRun.of(BODY, Map.of("HOLDFAST_SECRET", secret), "sign"));
        }
    }

    @Test
    void isUsedWronglyWithoutASecret() {
        CommandLineRun run = CommandLineRun.of("sign");

        assertThat(run)
                .isEqualTo(new CommandLineRun(
                        2,
                        "",
                        lines(
                                "holdfast: found no environment variable HOLDFAST_SECRET, expected the secret in it,"
                                        + " or --secret-env, --secret-file or --secret",
                                "Try 'holdfast sign --help'.")));
    }

    @Test
    void isUsedWronglyWithAnEmptySecretOrTwo() {
        assertThat(CommandLineRun.of("", Map.of("HOLDFAST_SECRET", ""), "sign").err())
                .startsWith("holdfast: found an empty secret, expected one");
        CommandLineRun two = CommandLineRun.of("sign", "--secret", "s3cret", "--secret-env", "MINE");
        assertThat(two.status()).isEqualTo(2);
        assertThat(two.err()).contains("mutually exclusive").doesNotContain("s3cret");
    }

    /** Java puts this mark where the locale has no such character: its signature would be another one. */
    @ParameterizedTest
    @ValueSource(strings = {"sign", "verify --signature 0"})
    void refusesASecretThatTheLocaleCannotDecode(String line) {
        CommandLineRun run = CommandLineRun.of(BODY, Map.of("HOLDFAST_SECRET", "p\uFFFD\uFFFDss"), line.split(" "));

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .startsWith(lines("holdfast: found a secret that this locale can't decode, expected a UTF-8 locale such"
                        + " as LC_ALL=C.UTF-8, or --secret-file"));
    }

    @Test
    void failsInOneLineWhenTheSecretsFileIsNotThere() {
        Path file = directory.resolve("nowhere");

        assertThat(CommandLineRun.of("sign", "--secret-file", file.toString()))
                .isEqualTo(new CommandLineRun(
                        1,
                        "",
                        lines("holdfast: found no readable UTF-8 file " + file + ", expected the secret in it")));
    }

    @Test
    void verifiesInEitherCase() {
        CommandLineRun matches = new CommandLineRun(0, lines("the signature matches"), "");

        assertThat(verify(SIGNATURE)).isEqualTo(matches);
        assertThat(verify(SIGNATURE.toUpperCase(Locale.ROOT))).isEqualTo(matches);
    }

    @Test
    void saysThatASignatureDoesNotMatch() {
        assertThat(verify("0".repeat(40))).isEqualTo(new CommandLineRun(1, lines("the signature does not match"), ""));
    }

    @Test
    void saysWhatIsMalformed() {
        assertThat(verify(SIGNATURE.substring(1)))
                .isEqualTo(new CommandLineRun(
                        1,
                        lines("the signature is malformed: found 39 characters, expected 40 hexadecimal digits"),
                        ""));
        assertThat(verify(SIGNATURE.substring(1) + "g"))
                .isEqualTo(new CommandLineRun(
                        1,
                        lines("the signature is malformed: found a character that is no hexadecimal digit,"
                                + " expected 40 hexadecimal digits"),
                        ""));
    }

    @Test
    void isUsedWronglyWithoutASignature() {
        assertThat(CommandLineRun.of(BODY, NONE, "verify", "--secret", "s3cret").status())
                .isEqualTo(2);
    }

    private static CommandLineRun verify(String signature) {
        return CommandLineRun.of(BODY, NONE, "verify", "--secret", "s3cret", "--signature", signature);
    }
}
