package dev.holdfast.consumer.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.holdfast.consumer.ConsumerContext;
import dev.holdfast.consumer.RetryLater;
import dev.holdfast.push.TestPush;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** As whom the {@code http} consumer comes to a receiver, and by which way: real servers, a real proxy. */
@Timeout(60)
class ForwarderIdentityTest {
    private static Certificate server;
    private static Certificate own;

    @TempDir
    Path directory;

    private final Vertx vertx = Vertx.vertx();
    private final List<MultiMap> received = new CopyOnWriteArrayList<>();

    @BeforeAll
    static void certificates(@TempDir Path shared) throws Exception {
        server = Certificate.make(Files.createDirectory(shared.resolve("server")));
        own = Certificate.make(Files.createDirectory(shared.resolve("own")));
    }

    @AfterEach
    void stop() {
        vertx.close().await();
    }

    private static PemKeyCertOptions pem(Certificate certificate) {
        return new PemKeyCertOptions()
                .addCertPath(certificate.chain().toString())
                .addKeyPath(certificate.key().toString());
    }

    private int serve(HttpServerOptions options) {
        return vertx.createHttpServer(options)
                .requestHandler(request -> {
                    received.add(MultiMap.caseInsensitiveMultiMap().addAll(request.headers()));
                    request.response().end();
                })
                .listen(0, "127.0.0.1")
                .await()
                .actualPort();
    }

    private HttpServerOptions tls() {
        return new HttpServerOptions().setSsl(true).setUseAlpn(true).setKeyCertOptions(pem(server));
    }

    private int serveWhoeverHasTheOwnCertificate() {
        return serve(tls().setClientAuth(ClientAuth.REQUIRED)
                .setTrustOptions(new PemTrustOptions().addCertPath(own.chain().toString())));
    }

    /** What the attempt fails with; null when it doesn't. */
    private @Nullable Throwable forward(String url, Map<String, Object> more) {
        Map<String, Object> values = new HashMap<>(more);
        values.put("url", url);
        if (url.startsWith("https")) {
            values.put("trust", server.chain().toString());
        }
        HttpOptions options = HttpOptions.read("forward", Duration.ofSeconds(10), List.of(), values, file -> {});
        ConsumerContext consumer = new ConsumerContext("forward", Duration.ofSeconds(10), "");
        Forwarder forwarder = new Forwarder(vertx, options, consumer, InstantSource.system());
        try {
            return catchThrowable(
                    () -> forwarder.forward(TestPush.of(7, TestPush.BODY)).await());
        } finally {
            forwarder.close();
        }
    }

    private Map<String, Object> certificate(Path chain, Path key) {
        return Map.of("client-certificate", Map.of("certificate", chain.toString(), "key", key.toString()));
    }

    @Test
    void headersAndABearerTokenGoWithEachPush() {
        int port = serve(new HttpServerOptions());

        Throwable failure = forward(
                "http://127.0.0.1:" + port + "/in",
                Map.of("headers", Map.of("X-Api-Key", "one two", "X-Number", 5), "bearer-token", "abc.def=="));

        assertThat(failure).isNull();
        assertThat(received).singleElement().satisfies(headers -> {
            assertThat(headers.getAll("X-Api-Key")).containsExactly("one two");
            assertThat(headers.getAll("X-Number")).containsExactly("5");
            assertThat(headers.getAll("Authorization")).containsExactly("Bearer abc.def==");
            assertThat(headers.getAll("Service-Signature")).containsExactly("abc");
        });
    }

    @Test
    void aServerThatDemandsACertificateGetsIt() {
        int port = serveWhoeverHasTheOwnCertificate();
        String url = "https://localhost:" + port + "/in";

        assertThat(forward(url, certificate(own.chain(), own.key()))).isNull();
        assertThat(received).hasSize(1);
        assertThat(forward(url, Map.of()))
                .isInstanceOf(RetryLater.class)
                .hasMessageStartingWith(
                        "https://localhost:" + port + ": SSLHandshakeException: Received fatal alert: ");
        assertThat(forward(url, certificate(server.chain(), server.key()))).isInstanceOf(RetryLater.class);
        assertThat(received).hasSize(1);
    }

    @Test
    void aHandshakeThatFailsSaysWhy() {
        String wrongName = "https://127.0.0.1:" + serve(tls()) + "/in";
        String untrusted = "https://localhost:" + serve(tls().setKeyCertOptions(pem(own))) + "/in";
        String plain = "https://localhost:" + serve(new HttpServerOptions()) + "/in";
        int cut = vertx.createNetServer()
                .connectHandler(socket -> socket.close())
                .listen(0, "127.0.0.1")
                .await()
                .actualPort();

        assertThat(forward(wrongName, Map.of())).hasMessageContaining("No subject alternative names");
        assertThat(forward(untrusted, Map.of())).hasMessageContaining("PKIX path");
        assertThat(forward(plain, Map.of())).hasMessageContaining("the other side doesn't speak TLS");
        assertThat(forward("https://localhost:" + cut + "/in", Map.of()))
                .hasMessageContaining("the other side closed the connection");
    }

    @Test
    void aServerThatSaysNothingIsGivenUpAsAConnectionIs() {
        int silent = vertx.createNetServer()
                .connectHandler(socket -> {})
                .listen(0, "127.0.0.1")
                .await()
                .actualPort();

        assertThat(forward("https://localhost:" + silent + "/in", Map.of("connect-timeout", "300ms")))
                .isInstanceOf(RetryLater.class)
                .hasMessageEndingWith("handshake timed out after 300ms");
    }

    @Test
    void aCertificateAndAKeyThatDoNotFitAreFoundBeforeTheFirstAttempt() throws Exception {
        Path none = Files.writeString(directory.resolve("none"), "nothing in it");
        Path encrypted = Files.writeString(directory.resolve("encrypted"), "-----BEGIN ENCRYPTED PRIVATE KEY-----");
        Path missing = directory.resolve("missing");

        assertThat(mistake(certificate(own.chain(), server.key())))
                .contains("options.client-certificate.key: found " + server.key() + ", which is not the key of "
                        + own.chain());
        for (Path file : List.of(none, missing, own.key())) {
            assertThat(mistake(certificate(file, own.key())))
                    .contains("options.client-certificate.certificate: found " + file + ", which ");
        }
        for (Path file : List.of(none, missing, own.chain(), encrypted)) {
            assertThat(mistake(certificate(own.chain(), file)))
                    .contains("options.client-certificate.key: found " + file + ", which ");
        }
    }

    @Test
    void aKeyOfATypeThatNoConnectionCanBeMadeWithIsFoundBeforeTheFirstAttempt() throws Exception {
        Certificate modern = Certificate.make(directory, "Ed25519");

        assertThat(mistake(certificate(modern.chain(), modern.key())))
                .contains("options.client-certificate.key: found " + modern.chain()
                        + " with a key of type EdDSA, expected one of type RSA or EC");
    }

    @Test
    void aKeyWhereItsPathBelongsIsNotShown() throws Exception {
        String key = Files.readString(own.key());

        assertThat(mistake(Map.of(
                        "client-certificate", Map.of("certificate", own.chain().toString(), "key", key))))
                .contains("options.client-certificate.key: found a value that is not shown, expected a path");
    }

    private String mistake(Map<String, Object> options) {
        Throwable thrown = catchThrowable(() -> forward("https://localhost/", options));
        assertThat(thrown).isInstanceOf(IllegalArgumentException.class);
        return String.valueOf(thrown.getMessage());
    }

    @Test
    void aProxyTunnelsToAServerWithTlsThatSeesTheOwnCertificate() {
        SmallProxy proxy = new SmallProxy(vertx, null);
        int port = serveWhoeverHasTheOwnCertificate();
        Map<String, Object> options = new HashMap<>(certificate(own.chain(), own.key()));
        options.put("proxy", "http://127.0.0.1:" + proxy.port());

        assertThat(forward("https://localhost:" + port + "/in", options)).isNull();

        assertThat(received).hasSize(1);
        assertThat(proxy.requestLines()).containsExactly("CONNECT localhost:" + port + " HTTP/1.1");
    }

    @Test
    void aProxyPassesAPlainRequestOn() {
        SmallProxy proxy = new SmallProxy(vertx, null);
        String url = "http://127.0.0.1:" + serve(new HttpServerOptions()) + "/in";

        assertThat(forward(url, Map.of("proxy", "http://127.0.0.1:" + proxy.port())))
                .isNull();

        assertThat(proxy.requestLines()).containsExactly("POST " + url + " HTTP/1.1");
        assertThat(received)
                .singleElement()
                .satisfies(
                        headers -> assertThat(headers.get("Service-Signature")).isEqualTo("abc"));
    }

    @Test
    void aProxyGetsUserAndPasswordAndNoOneElseDoes() {
        SmallProxy proxy = new SmallProxy(vertx, "Basic dXMgZXI6aGlkOmRlbg==");
        String plain = "http://127.0.0.1:" + serve(new HttpServerOptions()) + "/in";
        String secure = "https://localhost:" + serve(tls()) + "/in";
        Map<String, Object> right = Map.of("proxy", "http://us%20er:hid%3Aden@127.0.0.1:" + proxy.port());
        Map<String, Object> wrong = Map.of("proxy", "http://user:hidden@127.0.0.1:" + proxy.port() + "/");

        for (String url : List.of(plain, secure)) {
            assertThat(forward(url, right)).isNull();
            assertThat(forward(url, wrong))
                    .as("a proxy's refusal says nothing of the push")
                    .isInstanceOf(RetryLater.class)
                    .hasMessageContaining("407")
                    .satisfies(failure -> assertThat(failure.toString()).doesNotContain("hidden"));
        }
        assertThat(received).hasSize(2).noneMatch(headers -> headers.contains("Proxy-Authorization"));
    }

    @Test
    void aProxyThatIsAwayIsWaitedFor() {
        String url = "http://127.0.0.1:" + serve(new HttpServerOptions()) + "/in";

        assertThat(forward(url, Map.of("proxy", "http://user:hidden@127.0.0.1:1")))
                .isInstanceOf(RetryLater.class)
                .satisfies(failure -> assertThat(failure.toString()).doesNotContain("hidden"));
        assertThat(received).isEmpty();
    }
}
