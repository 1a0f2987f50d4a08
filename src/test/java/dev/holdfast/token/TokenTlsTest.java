package dev.holdfast.token;

import static dev.holdfast.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.consumer.http.Certificate;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.PemKeyCertOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whom the client talks to. */
@Timeout(120)
class TokenTlsTest {
    private static final String DATA = "{\"code\":0,\"msg\":\"success\",\"data\":"
            + "{\"access_token\":\"a1\",\"expires_in\":7200,\"refresh_token\":\"r1\",\"scope\":\"all\"}}";
    private static Certificate own;
    private static Certificate another;

    @TempDir
    Path directory;

    @BeforeAll
    static void makeCertificates(@TempDir Path certificates) throws Exception {
        own = Certificate.make(Files.createDirectory(certificates.resolve("own")));
        another = Certificate.make(Files.createDirectory(certificates.resolve("another")));
    }

    @Test
    void aCertificateThatJavaDoesNotTrustIsATlsFailure() {
        try (ScriptedService service = service();
                TokenLife life = life(service, "localhost")) {
            life.start().settle();

            assertThat(life.lastFailure().getString("kind")).isEqualTo("tls");
            assertThat(life.lastFailure().getString("message")).contains("PKIX path");
            assertThat(service.uris).isEmpty();
        }
    }

    @Test
    void thePemFileSaysWhomToTrust() {
        try (ScriptedService service = service();
                TokenLife life = life(service, "localhost")) {
            life.settings.trust = own.chain();
            life.start().settle();

            assertThat(life.state()).isEqualTo("valid");
        }
    }

    @Test
    void whatChangesInThePemFileIsInForceWithTheNextRequest() throws IOException {
        try (ScriptedService service = service();
                TokenLife life = life(service, "localhost")) {
            Path trust = Files.copy(another.chain(), directory.resolve("trust.pem"));
            life.settings.trust = trust;
            life.start().settle();
            assertThat(life.lastFailure().getString("kind")).isEqualTo("tls");
            Files.copy(own.chain(), trust, StandardCopyOption.REPLACE_EXISTING);
            life.pass(Duration.ofSeconds(10));
            assertThat(life.state()).isEqualTo("valid");

            Files.copy(another.chain(), trust, StandardCopyOption.REPLACE_EXISTING);
            life.pass(Duration.ofSeconds(5761));
            assertThat(life.state()).isEqualTo("renewing");
            assertThat(service.uris).hasSize(1);
        }
    }

    @Test
    void aTrustedCertificateForAnotherHostIsATlsFailure() {
        try (ScriptedService service = service();
                TokenLife life = life(service, "127.0.0.1")) {
            life.settings.trust = own.chain();
            life.start().settle();

            assertThat(life.lastFailure().getString("kind")).isEqualTo("tls");
        }
    }

    @ParameterizedTest
    @CsvSource({"missing.pem, does not exist", "directory, is a directory", "empty.pem, has no certificate in it"})
    void aPemFileThatCannotBeReadIsAFailureThatStopsNothing(String name, String why) throws IOException {
        Files.createDirectory(directory.resolve("directory"));
        Files.createFile(directory.resolve("empty.pem"));
        try (ScriptedService service = service();
                TokenLife life = life(service, "localhost")) {
            life.settings.trust = directory.resolve(name);
            life.start().settle();

            assertThat(life.state()).isEqualTo("exchanging");
            assertThat(life.lastFailure().getString("kind")).isEqualTo("tls");
            assertThat(life.lastFailure().getString("message"))
                    .isEqualTo("tls: token.trust: found " + life.settings.trust + ", which " + why
                            + ", expected a PEM file with certificates");
        }
    }

    @Test
    void aServiceWithoutTlsIsAFailure() {
        try (ScriptedService service = new ScriptedService();
                TokenLife life = life(service, "localhost")) {
            life.start().settle();

            assertThat(life.lastFailure().getString("kind")).isIn("tls", "broken");
            assertThat(service.uris).isEmpty();
        }
    }

    @Test
    void aRequestThatWasGivenUpIsNotSentWhenItsHandshakeEndsDuringTheNext() {
        try (ScriptedService service = service();
                TokenLife life = life(service, "localhost")) {
            Promise<Void> handshakes = Promise.promise();
            life.settings.trust = own.chain();
            life.settings.baseUrl = "https://localhost:" + holding(service, handshakes.future());
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

    /** Vert.x gives a handshake ten seconds by itself. */
    @Test
    void aHandshakeMayTakeAsLongAsTheRequest() {
        try (ScriptedService service = service();
                TokenLife life = life(service, "localhost")) {
            life.settings.trust = own.chain();
            life.settings.baseUrl = "https://localhost:" + holding(service, service.vertx.timer(11, TimeUnit.SECONDS));
            life.settings.requestTimeout = Duration.ofSeconds(30);
            life.start().settle();

            assertThat(life.state()).isEqualTo("valid");
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
        PemKeyCertOptions identity = new PemKeyCertOptions()
                .addCertPath(own.chain().toString())
                .addKeyPath(own.key().toString());
        return new ScriptedService(new HttpServerOptions().setSsl(true).setKeyCertOptions(identity))
                .answering(200, DATA);
    }

    private TokenLife life(ScriptedService service, String host) {
        TokenLife life = new TokenLife(directory.resolve("token"));
        life.settings.baseUrl = "https://" + host + ":" + service.port();
        life.settings.code("the code");
        return life;
    }
}
