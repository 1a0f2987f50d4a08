package dev.holdfast.gateway;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LogLines;
import dev.holdfast.config.ConfigLoader;
import dev.holdfast.config.ConfigWatch;
import dev.holdfast.config.LoadedConfig;
import dev.holdfast.consumer.http.Certificate;
import dev.holdfast.supervision.Consumers;
import io.vertx.core.Vertx;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The PEM files of an {@code http} consumer, which get other content while the gateway runs. */
@Timeout(60)
class RenewedCertificateTest {
    private static Certificate first;
    private static Certificate second;

    @TempDir
    Path directory;

    private final Vertx vertx = Vertx.vertx();
    /** The certificates that clients came with, one for each push. */
    private final List<java.security.cert.Certificate> shown = new CopyOnWriteArrayList<>();

    private Certificate own;
    private Path trust;

    @BeforeAll
    static void makeCertificates(@TempDir Path certificates) throws Exception {
        first = Certificate.make(Files.createDirectory(certificates.resolve("first")));
        second = Certificate.make(Files.createDirectory(certificates.resolve("second")));
    }

    @BeforeEach
    void begin() throws IOException {
        own = new Certificate(directory.resolve("own.crt"), directory.resolve("own.key"));
        trust = directory.resolve("trust.crt");
        copy(first.chain(), own.chain());
        copy(first.key(), own.key());
        copy(first.chain(), trust);
    }

    @AfterEach
    void stop() {
        vertx.close().await();
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
    }

    /** A server that takes pushes of whoever comes with one of the two certificates. */
    private int serve(Certificate certificate) {
        HttpServerOptions options = new HttpServerOptions()
                .setSsl(true)
                .setKeyCertOptions(new PemKeyCertOptions()
                        .addCertPath(certificate.chain().toString())
                        .addKeyPath(certificate.key().toString()))
                .setClientAuth(ClientAuth.REQUIRED)
                .setTrustOptions(new PemTrustOptions()
                        .addCertPath(first.chain().toString())
                        .addCertPath(second.chain().toString()));
        return vertx.createHttpServer(options)
                .requestHandler(this::take)
                .listen(0, "127.0.0.1")
                .await()
                .actualPort();
    }

    private void take(HttpServerRequest request) {
        try {
            shown.add(request.connection().peerCertificates().get(0));
        } catch (SSLPeerUnverifiedException e) {
            throw new IllegalStateException(e);
        }
        request.response().end();
    }

    /** As {@code run} reads it, consumers looked at. */
    private LoadedConfig forwardingTo(int port) {
        new GatewaySettings()
                .shipped(
                        "forward",
                        "http",
                        "url: \"https://localhost:" + port + "/\", trust: \"" + trust
                                + "\", client-certificate: {certificate: \"" + own.chain() + "\", key: \"" + own.key()
                                + "\"}")
                .in(directory);
        return read();
    }

    private LoadedConfig read() {
        return ConfigLoader.read(directory.resolve("holdfast.yaml"), Map.of(), Consumers::check);
    }

    private ConfigWatch watch(GatewayUnderTest gateway, LoadedConfig loaded) {
        return new ConfigWatch(this::read, loaded, gateway.gateway().reload());
    }

    /** What has changed is looked at when it has been the same in two checks. */
    private static void checkTwice(ConfigWatch watch) {
        watch.check();
        watch.check();
    }

    private void arrived(java.security.cert.Certificate... certificates) {
        eventually(() -> assertThat(shown).containsExactly(certificates));
    }

    @Test
    void aServerIsShownTheNewOneOnceBothOfItsFilesAreReplaced() throws Exception {
        LoadedConfig loaded = forwardingTo(serve(first));
        try (GatewayUnderTest gateway = GatewayUnderTest.start(loaded.config());
                LogLines log = LogLines.atWarn()) {
            ConfigWatch watch = watch(gateway, loaded);
            gateway.push(envelope("client.created", 1));
            arrived(TlsConnection.in(first.chain()));

            copy(second.chain(), own.chain());
            checkTwice(watch);
            assertThat(log.text()).contains("options.client-certificate.key: found " + own.key());
            gateway.push(envelope("client.created", 2));
            arrived(TlsConnection.in(first.chain()), TlsConnection.in(first.chain()));

            copy(second.key(), own.key());
            checkTwice(watch);
            gateway.push(envelope("client.created", 3));
            arrived(TlsConnection.in(first.chain()), TlsConnection.in(first.chain()), TlsConnection.in(second.chain()));
        }
    }

    @Test
    void whatIsTrustedNewlyIsDeliveredTo() throws Exception {
        LoadedConfig loaded = forwardingTo(serve(second));
        try (GatewayUnderTest gateway = GatewayUnderTest.start(loaded.config())) {
            ConfigWatch watch = watch(gateway, loaded);
            gateway.push(envelope("client.created", 1));
            eventually(() -> assertThat(
                            gateway.management("/api/v1/consumers/forward").body())
                    .contains("PKIX path"));

            copy(second.chain(), trust);
            checkTwice(watch);

            arrived(TlsConnection.in(first.chain()));
        }
    }

    @Test
    void filesThatStayAsTheyAreRestartNoConsumer() {
        LoadedConfig loaded = forwardingTo(serve(first));
        try (GatewayUnderTest gateway = GatewayUnderTest.start(loaded.config())) {
            assertThat(watch(gateway, loaded).load()).isFalse();
        }
    }
}
