package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.build.BuildInfo;
import dev.holdfast.cli.terminal.StandardOutput;
import dev.holdfast.config.ConsumerCheck;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HoldfastCommandTest {
    @Test
    void showsTheUsageWithoutAVerb() {
        CommandLineRun run = CommandLineRun.of();

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).startsWith("Usage: holdfast").contains("validate", "sign", "verify");
    }

    @Test
    void showsHelp() {
        CommandLineRun run = CommandLineRun.of("--help");

        assertThat(run.status()).isZero();
        assertThat(run.out()).startsWith("Usage: holdfast").contains("validate", "sign", "verify");
    }

    @ParameterizedTest
    @ValueSource(strings = {"run", "validate", "sign", "verify", "pushes", "pushes list", "consumers pause"})
    void everyVerbHasHelpAndVersion(String verb) {
        CommandLineRun help = CommandLineRun.of((verb + " --help").split(" "));
        CommandLineRun version = CommandLineRun.of((verb + " --version").split(" "));

        assertThat(help.status()).isZero();
        assertThat(help.out()).startsWith("Usage: holdfast " + verb);
        assertThat(version.status()).isZero();
        assertThat(version.out()).startsWith("holdfast ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " sign", " pushes", " pushes list"})
    void helpIsAnotherWordForItsOption(String verb) {
        CommandLineRun help = CommandLineRun.of(("help" + verb).split(" "));

        assertThat(help.status()).isZero();
        assertThat(help.out()).startsWith("Usage: holdfast" + verb);
    }

    /** Java puts this mark where the locale has no such character: another event, reason or secret. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "pushes list --event client.gr\uFFFD\uFFFDe",
                "quarantine discard --all --reason gr\uFFFD\uFFFDe",
                "sign --secret p\uFFFD\uFFFDss"
            })
    void refusesAnArgumentThatTheLocaleCannotDecode(String line) {
        assertThat(CommandLineRun.of(line.split(" ")))
                .isEqualTo(new CommandLineRun(
                        2,
                        "",
                        lines("holdfast: found an argument that this locale can't decode, expected a UTF-8 locale such"
                                + " as LC_ALL=C.UTF-8")));
    }

    @Test
    void showsVersionAndCommit() {
        assertThat(CommandLineRun.of("--version"))
                .isEqualTo(new CommandLineRun(0, lines("holdfast " + BuildInfo.ofProcess()), ""));
    }

    @Test
    void proposesTheVerbThatWasMeant() {
        CommandLineRun run = CommandLineRun.of("validat");

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err())
                .contains(
                        "holdfast: found validat, expected a verb",
                        "Did you mean: holdfast validate",
                        "Try 'holdfast --help'.");
    }

    @ParameterizedTest
    @CsvSource({
        "sgin --secret s3cret, 'found sgin, expected a verb'",
        "--token s3cret status, 'found the option --token, expected a verb'",
        "--secret=s3cret sign, 'found the option --secret, expected a verb'",
        "s3cret sign, 'found an argument (not shown: it may be a secret), expected a verb'",
        "-s3cret sign, 'found an argument (not shown: it may be a secret), expected a verb'"
    })
    void showsNoSecretOfALineWithoutItsVerb(String line, String mistake) {
        CommandLineRun run = CommandLineRun.of(line.split(" "));

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).startsWith(lines("holdfast: " + mistake)).doesNotContain("s3cret");
    }

    @Test
    void showsNoSecretOfMoreThanOneLine() {
        for (String[] line : new String[][] {{"--secret=one\ns3cret"}, {"sign", "--secrets=one\ns3cret"}}) {
            assertThat(CommandLineRun.of(line).err())
                    .contains("found the option --secret")
                    .doesNotContain("s3cret");
        }
    }

    @Test
    void whatATerminalObeysIsWrittenOut() {
        for (String option : List.of("--since", "--format", "--from")) {
            assertThat(CommandLineRun.of("journal", "export", option, "\u001b[31m")
                            .err())
                    .startsWith("holdfast: ")
                    .contains("\\u001b[31m")
                    .doesNotContain("\u001b");
        }
    }

    @Test
    void namesTheVerbsOfAVerb() {
        CommandLineRun run = CommandLineRun.of("pushes", "lst");

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err())
                .isEqualTo(lines(
                        "holdfast: found an argument (not shown: it may be a secret), expected one of: get, list, replay",
                        "Try 'holdfast pushes --help'."));
    }

    @Test
    void doesNotShowAStrayArgumentThatMayBeASecret() {
        CommandLineRun run = CommandLineRun.of("sign", "--secret", "my", "s3cret");

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err())
                .isEqualTo(lines(
                        "holdfast: found an argument (not shown: it may be a secret), expected options only",
                        "Try 'holdfast sign --help'."));
    }

    @Test
    void saysHowAConfigurationIsNamedToWhoGivesItAsAnArgument() {
        assertThat(CommandLineRun.of("run", "my.yaml").err())
                .isEqualTo(lines(
                        "holdfast: found an argument (not shown: it may be a secret), expected options only; -c FILE names"
                                + " the configuration",
                        "Try 'holdfast run --help'."));
    }

    @ParameterizedTest
    @CsvSource({
        "dead-letters get 1, too few, dead-letters get CONSUMER SEQ",
        "consumers get, too few, consumers get NAME",
        "dead-letters get mine 1 s3cret, too many, dead-letters get CONSUMER SEQ",
        "consumers pause mine s3cret, too many, consumers pause NAME"
    })
    void namesTheArgumentsOfAVerbThatGetsTooFewOrTooMany(String line, String found, String expected) {
        CommandLineRun run = CommandLineRun.of(line.split(" "));

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err())
                .startsWith(lines("holdfast: found " + found + " arguments; expected holdfast " + expected))
                .doesNotContain("s3cret");
    }

    @Test
    void doesNotShowASecretThatLooksLikeAnOption() {
        for (String secret : new String[] {"-hs3cret", "--signature=s3cret", "-s3cret", "--s3cret"}) {
            CommandLineRun run = CommandLineRun.of("verify", "--signature", "x", "--secret", secret);

            assertThat(run.err()).doesNotContain("s3cret");
        }
    }

    @Test
    void doesNotShowASecretThatIsThereTwice() {
        CommandLineRun run = CommandLineRun.of("token", "exchange", "--code", "s3cret", "--code=another-s3cret");

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains("expected only one match", "--code=CODE").doesNotContain("s3cret");
    }

    @Test
    void namesAnUnknownOptionWithoutItsValue() {
        assertThat(CommandLineRun.of("sign", "--secrets=s3cret").err())
                .isEqualTo(lines(
                        "holdfast: found the option --secrets, which this verb does not have",
                        "Try 'holdfast sign --help'."));
    }

    @Test
    void theDemoNamesTheProgramAsItWasStarted() {
        assertThat(DemoCommand.program("target/holdfast.jar")).isEqualTo("java -jar target/holdfast.jar");
        assertThat(DemoCommand.program("/a b/holdfast.jar")).isEqualTo("java -jar '/a b/holdfast.jar'");
        assertThat(DemoCommand.program("a.jar" + java.io.File.pathSeparator + "b.jar"))
                .isEqualTo("holdfast");
    }

    @ParameterizedTest
    @CsvSource({
        "--count, 0, count: 0 (expected: at least 1)",
        "--rate, 0, 'rate: 0.0 (expected: above 0, at most 1000000000, a second)'"
    })
    void theDemoRefusesAPaceThatNeverSends(String option, String value, String mistake) {
        CommandLineRun run = CommandLineRun.of("demo", option, value);

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).isEqualTo(lines("holdfast: " + mistake, "Try 'holdfast demo --help'."));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            false | 1   | holdfast: can't write to standard output: the disk is full
            true  | 141 |
            """)
    void aFullDiskIsAFailureAndAReaderThatIsGoneIsNone(boolean read, int status, @Nullable String said) {
        OutputStream out = new StandardOutput(
                new OutputStream() {
                    @Override
                    public void write(int one) throws IOException {
                        throw new IOException("the disk is full");
                    }
                },
                () -> read);

        assertThat(CommandLineRun.into(out, "", Map.of(), ConsumerCheck.NONE, "--help"))
                .isEqualTo(new CommandLineRun(status, "", said == null ? "" : lines(said)));
    }

    static String lines(String... lines) {
        return String.join(System.lineSeparator(), lines) + System.lineSeparator();
    }

    @Test
    void anExportSaysWhereItIsAndWhatItHasWritten() {
        assertThat(JournalExportCommand.at(512, 7_000, 1)).isEqualTo("at push 512 of 7000, 1 push written");
    }
}
