package dev.holdfast.token;

import static dev.holdfast.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.PfxOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whom the client talks to. */
@Timeout(120)
class TokenTlsTest {
    private static final String DATA = "{\"code\":0,\"msg\":\"success\",\"data\":"
            + "{\"access_token\":\"a1\",\"expires_in\":7200,\"refresh_token\":\"r1\",\"scope\":\"all\"}}";
    private static final String PASSWORD = "changeit";

    @TempDir
    static Path certificates;

    @TempDir
    Path directory;

    @BeforeAll
    static void makeCertificates() throws IOException, InterruptedException {
        for (String alias : List.of("x", "another")) {
            keytool(
                    "-genkeypair",
                    "-alias",
                    alias,
                    "-keyalg",
                    "EC",
                    "-dname",
                    "CN=" + alias,
                    "-ext",
                    "SAN=ip:127.0.0.1");
            String pem = certificates.resolve(alias + ".pem").toString();
            keytool("-exportcert", "-rfc", "-alias", alias, "-file", pem);
        }
    }

    @Test
    void aCertificateThatJavaDoesNotTrustIsATlsFailure() {
        try (ScriptedService service = service();
                TokenLife life = life(service, "127.0.0.1")) {
            life.start().settle();

            assertThat(life.lastFailure().getString("kind")).isEqualTo("tls");
            assertThat(service.uris).isEmpty();
        }
    }

    @Test
    void thePemFileSaysWhomToTrust() {
        try (ScriptedService service = service();
                TokenLife life = life(service, "127.0.0.1")) {
            life.settings.trust = certificates.resolve("x.pem");
            life.start().settle();

            assertThat(life.state()).isEqualTo("valid");
        }
    }

    @Test
    void whatChangesInThePemFileIsInForceWithTheNextRequest() throws IOException {
        try (ScriptedService service = service();
                TokenLife life = life(service, "127.0.0.1")) {
            Path trust = Files.copy(certificates.resolve("another.pem"), directory.resolve("trust.pem"));
            life.settings.trust = trust;
            life.start().settle();
            assertThat(life.lastFailure().getString("kind")).isEqualTo("tls");
            Files.copy(certificates.resolve("x.pem"), trust, StandardCopyOption.REPLACE_EXISTING);
            life.pass(Duration.ofSeconds(10));
            assertThat(life.state()).isEqualTo("valid");

            Files.copy(certificates.resolve("another.pem"), trust, StandardCopyOption.REPLACE_EXISTING);
            life.pass(Duration.ofSeconds(5761));
            assertThat(life.state()).isEqualTo("renewing");
            assertThat(service.uris).hasSize(1);
        }
    }

    @Test
    void aTrustedCertificateForAnotherHostIsATlsFailure() {
        try (ScriptedService service = service();
                TokenLife life = life(service, "localhost")) {
            life.settings.trust = certificates.resolve("x.pem");
            life.start().settle();

            assertThat(life.lastFailure().getString("kind")).isEqualTo("tls");
        }
    }

    @Test
    void aPemFileThatIsMissingIsAFailureThatStopsNothing() {
        try (ScriptedService service = service();
                TokenLife life = life(service, "127.0.0.1")) {
            life.settings.trust = directory.resolve("missing.pem");
            life.start().settle();

            assertThat(life.state()).isEqualTo("exchanging");
            assertThat(life.lastFailure().getString("kind")).isEqualTo("tls");
        }
    }

    @Test
    void aServiceWithoutTlsIsAFailure() {
        try (ScriptedService service = new ScriptedService();
                TokenLife life = life(service, "127.0.0.1")) {
            life.start().settle();

            assertThat(life.lastFailure().getString("kind")).isIn("tls", "broken");
            assertThat(service.uris).isEmpty();
        }
    }

    @Test
    void aRequestThatWasGivenUpIsNotSentWhenItsHandshakeEndsDuringTheNext() {
        try (ScriptedService service = service();
                TokenLife life = life(service, "127.0.0.1")) {
            Promise<Void> handshakes = Promise.promise();
            life.settings.trust = certificates.resolve("x.pem");
            life.settings.baseUrl = "https://127.0.0.1:" + holding(service, handshakes.future());
            life.settings.requestTimeout = Duration.ofSeconds(2);
            life.start().settle();
            assertThat(life.lastFailure().getString("kind")).isEqualTo("timed-out");

            life.time.pass(Duration.ofMinutes(1));
            eventually(() ->
                    assertThat(life.status().getBoolean("requestUnderWay")).isTrue());
            handshakes.complete();

            life.settle();
            assertThat(life.state()).isEqualTo("valid");
            assertThat(service.uris).hasSize(1);
        }
    }

    /** The port of a proxy that lets nothing through until then. */
    private static int holding(ScriptedService service, Future<Void> until) {
        NetClient client = service.vertx.createNetClient();
        return service.vertx
                .createNetServer()
                .connectHandler(socket -> {
                    socket.pause();
                    until.compose(v -> client.connect(service.port(), "127.0.0.1"))
                            .onSuccess(through -> {
                                socket.pipeTo(through);
                                through.pipeTo(socket);
                            });
                })
                .listen(0, "127.0.0.1")
                .await()
                .actualPort();
    }

    private ScriptedService service() {
        PfxOptions identity = new PfxOptions()
                .setPath(certificates.resolve("x.p12").toString())
                .setPassword(PASSWORD)
                .setAlias("x");
        return new ScriptedService(new HttpServerOptions().setSsl(true).setKeyCertOptions(identity))
                .answering(200, DATA);
    }

    private TokenLife life(ScriptedService service, String host) {
        TokenLife life = new TokenLife(directory.resolve("token"));
        life.settings.baseUrl = "https://" + host + ":" + service.port();
        life.settings.code("the code");
        return life;
    }

    private static void keytool(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"));
        command.addAll(List.of(arguments));
        command.addAll(List.of("-keystore", certificates.resolve("x.p12").toString(), "-storetype", "PKCS12"));
        command.addAll(List.of("-storepass", PASSWORD));
        Path output = certificates.resolve("keytool.log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(output)).isZero();
    }
}
