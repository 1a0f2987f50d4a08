package dev.holdfast.cli;

import static dev.holdfast.cli.HoldfastCommandTest.lines;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.consumer.http.Certificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code validate} and {@code run} refuse the same with the same words, before a gateway is as much as begun. */
final class NamedFilesTest {
    private static final String RECEIVER =
            "receiver:\n  endpoints: [{name: a, path: /a, secrets: [0123456789-s3cret]}]\n";

    @TempDir
    private static Path directory;

    @BeforeAll
    static void makeFiles() throws Exception {
        Certificate.make(directory);
        Files.writeString(directory.resolve("file"), "text\n");
        Files.write(directory.resolve("bytes"), new byte[] {0, -1, '-', 5});
        Files.writeString(
                directory.resolve("torn.crt"), "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n");
        String whole = Files.readString(directory.resolve("server.crt"));
        Files.writeString(directory.resolve("half.crt"), whole + whole.substring(0, whole.length() / 2));
        Files.writeString(
                directory.resolve("torn.key"), "-----BEGIN PRIVATE KEY-----\n????\n-----END PRIVATE KEY-----\n");
        Files.writeString(
                directory.resolve("encrypted.key"),
                "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIIB\n-----END ENCRYPTED PRIVATE KEY-----\n");
        Files.writeString(
                directory.resolve("older.key"),
                "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00\n\nMIIB\n"
                        + "-----END RSA PRIVATE KEY-----\n");
        Files.createDirectory(directory.resolve("directory"));
        assertThat(new ProcessBuilder("mkfifo", directory.resolve("pipe").toString())
                        .start()
                        .waitFor())
                .isZero();
        Files.createSymbolicLink(directory.resolve("link"), directory.resolve("away"));
    }

    /** {@code DIR} in the configuration and in what is expected stands for the directory. */
    private void assertRefused(String yaml, String expected) throws IOException {
        Path file = Files.writeString(
                directory.resolve("holdfast.yaml"), (RECEIVER + yaml + "\n").replace("DIR", directory.toString()));
        CommandLineRun refused =
                new CommandLineRun(1, "", lines(file + ":" + expected.replace("DIR", directory.toString())));

        assertThat(CommandLineRun.of("validate", "-c", file.toString())).isEqualTo(refused);
        assertThat(CommandLineRun.of("run", "-c", file.toString())).isEqualTo(refused);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            DIR/none      | DIR/none, which does not exist
            DIR/directory | DIR/directory, which is a directory
            DIR/file      | DIR/file, which has no certificate in it
            DIR/bytes     | DIR/bytes, which has no certificate in it
            DIR/torn.crt  | DIR/torn.crt, with a certificate that can't be read
            DIR/half.crt  | DIR/half.crt, with a certificate that can't be read
            DIR/server.key | DIR/server.key, which has no certificate in it
            """)
    void theCertificateMustBeThere(String certificateFile, String found) throws IOException {
        assertRefused(
                "  tls:\n    certificate: " + certificateFile + "\n    key: DIR/server.key",
                "4: receiver.tls.certificate: found " + found + ", expected a PEM file with certificates");
    }

    @ParameterizedTest
    @CsvSource({"90, -1", "-1, 90"})
    void aCertificateThatIsNotGoodNowIsAWarning(int daysBefore, int daysLeft, @TempDir Path own) throws Exception {
        Certificate certificate = Certificate.make(own, "EC", daysBefore, daysLeft);
        Path file = Files.writeString(
                own.resolve("holdfast.yaml"),
                RECEIVER + "  tls:\n    certificate: " + certificate.chain() + "\n    key: " + certificate.key()
                        + "\n");

        CommandLineRun run = CommandLineRun.of("validate", "-c", file.toString());

        assertThat(run.status()).isZero();
        assertThat(run.err())
                .startsWith("warning: " + file + ":4: receiver.tls.certificate: found " + certificate.chain()
                        + ", good from ")
                .endsWith("Z, expected one that is good now: those who connect refuse any other\n");
    }

    @Test
    void theCertificateMustBeNamed() throws IOException {
        assertRefused("  tls:\n    key: DIR/server.key", "3: receiver.tls.certificate: found nothing, expected a path");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            DIR/none       | DIR/none, which does not exist
            DIR/directory  | DIR/directory, which is a directory
            DIR/pipe       | DIR/pipe, which is a pipe or a device
            DIR/file       | DIR/file, which has no such key in it
            DIR/torn.key   | DIR/torn.key, with a private key that can't be read
            DIR/encrypted.key | DIR/encrypted.key, which has an encrypted key in it
            DIR/older.key  | DIR/older.key, which has an encrypted key in it
            DIR/server.crt | DIR/server.crt, which has no such key in it
            """)
    void thePrivateKeyMustBeThere(String keyFile, String found) throws IOException {
        assertRefused(
                "  tls:\n    certificate: DIR/server.crt\n    key: " + keyFile,
                "5: receiver.tls.key: found " + found + ", expected a PEM file with an unencrypted private key");
    }

    @Test
    void pluginsMustNotBeAFile() throws IOException {
        assertRefused("plugins: DIR/file", "3: plugins: found DIR/file, which is a file, expected a directory");
    }

    @ParameterizedTest
    @CsvSource({
        "DIR/file,which is a file",
        "DIR/file/data,where DIR/file is a file",
        "DIR/link,which is a link to nothing",
        "DIR/link/data,where DIR/link is a link to nothing"
    })
    void theJournalsDirectoryMustBeAbleToBe(String journal, String found) throws IOException {
        assertRefused(
                "journal:\n  directory: " + journal,
                "4: journal.directory: found " + journal + ", " + found + ", expected a directory");
    }

    @Test
    void aConsumerThatCanNotBeIsRefusedBeforeAnythingIsOpened() throws IOException {
        Path file = Files.writeString(
                directory.resolve("holdfast.yaml"),
                RECEIVER + "plugins: " + directory.resolve("none")
                        + "\nconsumers: [{name: c, events: [\"*\"], verticle: mine}]\n");
        for (String verb : new String[] {"validate", "run"}) {
            CommandLineRun run = CommandLineRun.of(
                    "",
                    Map.of(),
                    (consumer, endpoints, plugins, files) -> {
                        throw new IllegalArgumentException("found " + consumer.verticle());
                    },
                    verb,
                    "-c",
                    file.toString());
            assertThat(run).isEqualTo(new CommandLineRun(1, "", lines(file + ":4: consumers[0].verticle: found mine")));
        }
    }

    @Test
    void whatIsThereIsTaken() throws IOException {
        Path file = Files.writeString(
                directory.resolve("holdfast.yaml"),
                (RECEIVER + "  tls: {certificate: DIR/server.crt, key: DIR/server.key}\nplugins: DIR/directory\n"
                                + "journal: {directory: DIR/not/yet/there}\n")
                        .replace("DIR", directory.toString()));

        assertThat(CommandLineRun.of("validate", "-c", file.toString()).status())
                .isZero();
        assertThat(directory.resolve("not")).doesNotExist();
    }

    @Test
    void receivingDoesNotDependOnWhomTheTokenTrustsSoThatIsAWarning() throws IOException {
        Path file = Files.writeString(
                directory.resolve("holdfast.yaml"),
                RECEIVER
                        + "token: {base-url: \"https://platform.example\", app-id: a, app-secret: 0123456789abcdef, trust: "
                        + directory.resolve("none") + "}\n");

        CommandLineRun run = CommandLineRun.of("validate", "-c", file.toString());

        assertThat(run.status()).isZero();
        assertThat(run.err())
                .contains("warning: " + file + ":3: token.trust: found " + directory.resolve("none")
                        + ", which does not exist, expected a PEM file with certificates");
    }
}
