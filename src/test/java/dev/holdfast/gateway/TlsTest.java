package dev.holdfast.gateway;

import static dev.holdfast.gateway.GatewayUnderTest.bytes;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static dev.holdfast.gateway.GatewayUnderTest.sign;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import java.io.FileInputStream;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** With TLS, on a certificate made for the test. */
@Timeout(60)
class TlsTest {
    private static final char[] PASSWORD = "changeit".toCharArray();

    @TempDir
    Path directory;

    @BeforeEach
    void makeCertificate() throws Exception {
        Path store = directory.resolve("store.p12");
        Process keytool = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "gateway",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        new String(PASSWORD),
                        "-keystore",
                        store.toString()))
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("keytool.log").toFile())
                .start();
        assertThat(keytool.waitFor(30, TimeUnit.SECONDS)).isTrue();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = new FileInputStream(store.toFile())) {
            keys.load(in, PASSWORD);
        }
        pem("tls.crt", "CERTIFICATE", keys.getCertificate("gateway").getEncoded());
        pem("tls.key", "PRIVATE KEY", keys.getKey("gateway", PASSWORD).getEncoded());
    }

    private void pem(String file, String type, byte[] content) throws Exception {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        Files.writeString(
                directory.resolve(file), "-----BEGIN " + type + "-----\n" + text + "\n-----END " + type + "-----\n");
    }

    private GatewaySettings settings() {
        return new GatewaySettings()
                .receiver("tls: {certificate: \"" + directory.resolve("tls.crt") + "\", key: \""
                        + directory.resolve("tls.key") + "\"}");
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
    void plainTextIsNeverAnswered200() {
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings(), directory);
                RawConnection connection = gateway.connect()) {
            connection.send(GatewayUnderTest.signed(envelope("client.created", 1)));

            assertThat(connection.everything()).doesNotContain(" 200 ");
        }
    }
}
