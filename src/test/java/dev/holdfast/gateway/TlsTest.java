package dev.holdfast.gateway;

import static dev.holdfast.gateway.GatewayUnderTest.bytes;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static dev.holdfast.gateway.GatewayUnderTest.sign;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.consumer.http.Certificate;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** With TLS, on a certificate made for the test. */
@Timeout(60)
class TlsTest {
    @TempDir
    Path directory;

    private Certificate certificate;

    @BeforeEach
    void makeCertificate() throws Exception {
        certificate = Certificate.make(directory);
    }

    private GatewaySettings settings() {
        return new GatewaySettings()
                .receiver("tls: {certificate: \"" + certificate.chain() + "\", key: \"" + certificate.key() + "\"}");
    }

    private static HttpClientResponse push(GatewayUnderTest gateway, Vertx vertx) {
        byte[] body = bytes(envelope("client.created", 1));
        RequestOptions request = new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setSsl(true)
                .setHost("localhost")
                .setPort(gateway.port())
                .setURI("/webhook")
                .putHeader("Service-Signature", sign(body));
        HttpClientOptions options = new HttpClientOptions()
                .setTrustAll(true)
                .setVerifyHost(false)
                .setUseAlpn(true)
                .setProtocolVersion(HttpVersion.HTTP_2);
        HttpClientAgent client = vertx.createHttpClient(options);
        HttpClientResponse response = client.request(request)
                .compose(sent -> sent.send(Buffer.buffer(body)))
                .await();
        client.close().await();
        return response;
    }

    @Test
    void aPushIsTakenOverHttp11() {
        Vertx vertx = Vertx.vertx();
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings(), directory)) {
            HttpClientResponse response = push(gateway, vertx);

            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.version()).isEqualTo(HttpVersion.HTTP_1_1);
        } finally {
            vertx.close().await();
        }
    }

    @Test
    void aPushIsTakenWithAKeyAsOpensslWritesIt() throws Exception {
        certificate = certificate.withOpensslKey(directory.resolve("openssl.key"));
        Vertx vertx = Vertx.vertx();
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings(), directory)) {
            assertThat(push(gateway, vertx).statusCode()).isEqualTo(200);
        } finally {
            vertx.close().await();
        }
    }

    @Test
    void aPushIsTakenOverHttp2WhenThatIsOffered() {
        Vertx vertx = Vertx.vertx();
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings().receiver("http2: true"), directory)) {
            HttpClientResponse response = push(gateway, vertx);

            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.version()).isEqualTo(HttpVersion.HTTP_2);
        } finally {
            vertx.close().await();
        }
    }

    @Test
    void aClientThatEndsItsSessionIsNotKept() throws Exception {
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings(), directory);
                TlsConnection used = TlsConnection.thatCanListenOn(gateway.port());
                TlsConnection unused = TlsConnection.thatCanListenOn(gateway.port())) {
            used.answer(GatewayUnderTest.signed(envelope("client.created", 1)));
            used.endSession();
            unused.endSession();

            assertThat(used.isEnded()).isTrue();
            assertThat(unused.isEnded()).isTrue();
        }
    }

    @Test
    void aClientThatEndsItsSessionBehindAPushHasItsAnswerFirst() throws Exception {
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings(), directory);
                TlsConnection connection = TlsConnection.thatCanListenOn(gateway.port())) {
            connection.send(GatewayUnderTest.signed(envelope("client.created", 1)));
            connection.endSession();

            assertThat(connection.answer()).isEqualTo("HTTP/1.1 200 OK");
            assertThat(connection.isEnded()).isTrue();
        }
    }

    @Test
    void aClientThatEndsItsSessionWithinABodyIsToldSo() throws Exception {
        byte[] push = GatewayUnderTest.signed(envelope("client.created", 1));
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings(), directory);
                TlsConnection connection = TlsConnection.thatCanListenOn(gateway.port())) {
            connection.send(Arrays.copyOf(push, push.length - 1));
            connection.endSession();

            assertThat(connection.answer()).isEqualTo("HTTP/1.1 400 Bad Request");
            assertThat(connection.isEnded()).isTrue();
        }
    }

    @Test
    void theSimulatorSaysWhatToDoAboutACertificateThatItDoesNotTrust() {
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings(), directory)) {
            String url = "https://localhost:" + gateway.port() + "/webhook";
            List<String> verb =
                    List.of("simulate", "--to", url, "--secret", GatewayUnderTest.SECRET, "--count", "1", "--insecure");

            Verb strict = Verb.offline(verb.subList(0, verb.size() - 1).toArray(String[]::new));
            assertThat(strict.status()).isEqualTo(1);
            assertThat(strict.out()).contains("untrusted: 1", "Trust any with --insecure");
            assertThat(Verb.offline(verb.toArray(String[]::new)).done())
                    .contains("Every push that is owed a 200 got it.");
        }
    }

    @Test
    void aHandshakeThatDoesNotComeEndsTheConnectionWithTheHeaderTimeout() {
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings().receiver("header-timeout: 1s"), directory);
                RawConnection silent = gateway.connect()) {
            long connected = System.nanoTime();

            assertThat(silent.isClosed()).isTrue();

            // By itself it would be ten seconds.
            assertThat(System.nanoTime() - connected).isLessThan(8_000_000_000L);
        }
    }

    @Test
    void plainTextIsNeverAnswered200() {
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings(), directory);
                RawConnection connection = gateway.connect()) {
            connection.send(GatewayUnderTest.signed(envelope("client.created", 1)));

            assertThat(connection.everything()).doesNotContain(" 200 ");
        }
    }
}
