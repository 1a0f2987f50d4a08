package dev.holdfast.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.consumer.http.Certificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EffectiveConfigTest {
    @TempDir
    Path directory;

    @Test
    void showsEveryValueAndNoSecret() throws IOException {
        assertThat(EffectiveConfig.render(config())).isEqualTo("""
                receiver.host: 0.0.0.0
                receiver.port: 8080
                receiver.endpoints[0].name: default
                receiver.endpoints[0].path: /webhook
                receiver.endpoints[0].secrets: [********, ********]
                receiver.endpoints[0].signature-header: Service-Signature
                receiver.max-body: 8MiB
                receiver.max-in-flight: 128MiB
                receiver.header-timeout: 10s
                receiver.body-timeout: 30s
                receiver.idle-timeout: 75s
                receiver.drain-delay: 5s
                receiver.drain-timeout: 30s
                receiver.http2: false
                journal.directory: data
                journal.retention: 7d
                journal.max-size: 50GiB
                journal.reserve: 1GiB
                journal.set-aside: 256MiB
                journal.sync-timeout: 10s
                dead-letters.max-count: 100000
                dead-letters.max-age: 30d
                quarantine.max-size: 1GiB
                quarantine.max-age: 7d
                quarantine.max-body: 1MiB
                platform.visitor-updated-event: visitor.updated
                plugins: plugins
                consumers[0].name: mine
                consumers[0].events: [client.*, visitor.*]
                consumers[0].verticle: http
                consumers[0].start: earliest
                consumers[0].order-by: []
                consumers[0].concurrency: 16
                consumers[0].instances: 1
                consumers[0].threading: event-loop
                consumers[0].timeout: 30s
                consumers[0].retry.first-delay: 200ms
                consumers[0].retry.factor: 2.0
                consumers[0].retry.max-delay: 1m
                consumers[0].retry.jitter: 0.5
                consumers[0].retry.max-age: 3d
                consumers[0].hold: 14d
                consumers[0].options: {bearer-token=********, headers=********, password=********, url=********}
                management.host: 127.0.0.1
                management.port: 8081
                management.token: ********
                management.token-name: token
                management.hosts: []
                management.insecure: false
                management.public: [health]
                logging.level: info""");
    }

    @Test
    void hidesSecretsInTheRecordsOwnText() throws IOException {
        assertThat(config().toString()).contains("endpoints").doesNotContain("s3cret");
    }

    @Test
    void aFileWithCertificateAndKeyIsShownByItsNameAlone() throws Exception {
        Certificate made = Certificate.make(directory);
        Path both = Files.writeString(
                directory.resolve("both.pem"), Files.readString(made.chain()) + Files.readString(made.key()));
        String tls = "tls: {certificate: \"%s\", key: \"%s\"}".formatted(both, both);

        assertThat(EffectiveConfig.render(load(tls, "s3cret", "mine", "t0ken")))
                .contains("receiver.tls.certificate: " + both + "\nreceiver.tls.key: " + both + "\nreceiver.http2")
                .doesNotContain("BEGIN");
    }

    @Test
    void ofAnOptionThatHoldsAnotherNothingIsLeft() throws IOException {
        Path file = Files.writeString(directory.resolve("options.yaml"), """
                receiver: {endpoints: [{name: default, path: /webhook, secrets: [s3cret]}]}
                consumers:
                  - {name: mine, events: ["*"], verticle: log, options: {urls: [db.test, "db.test/?key=s3cret"], pin: 12345}}
                """);
        ConsumerConfig consumer =
                ConfigLoader.read(file, Map.of()).config().consumers().get(0);

        assertThat(consumer.withoutOptions("no db.test/?key=s3cret at db.test with 12345 in 123450 ms"))
                .isEqualTo("no (options.urls) at (options.urls) with (options.pin) in 123450 ms");
    }

    @Test
    void namesWhatChangedForTheNextStartSecretsIncludedAndNotWhatIsInForceAtOnce() throws IOException {
        HoldfastConfig before = load("port: 8080", "s3cret-1", "mine", "s3cret-a");
        HoldfastConfig atOnce = load("port: 8080", "s3cret-2", "yours", "s3cret-a");
        HoldfastConfig later = load("http2: true", "s3cret-1", "mine", "s3cret-b");

        assertThat(EffectiveConfig.changedForTheNextStart(before, atOnce)).isEmpty();
        assertThat(EffectiveConfig.changedForTheNextStart(before, later))
                .containsExactly("management.token", "receiver.http2");
    }

    @Test
    void namesWhatIsInForceAtOnceNewOrGone() throws IOException {
        HoldfastConfig before = load("port: 8080", "s3cret-1", "mine", "s3cret-a");
        HoldfastConfig after = load("port: 9090", "s3cret-2", "yours", "s3cret-b");

        assertThat(EffectiveConfig.changedAtOnce(before, after))
                .containsExactly("consumer mine", "consumer yours", "endpoint default");
        assertThat(EffectiveConfig.changedAtOnce(before, load("port: 8080", "s3cret-1", "mine", "s3cret-a")))
                .isEmpty();
    }

    @Test
    void namesACertificateThatChangedInItsFileAndNoneThatWaitsForARestart() throws Exception {
        Certificate made = Certificate.make(directory);
        String tls = "tls: {certificate: \"%s\", key: \"%s\"}".formatted(made.chain(), made.key());
        HoldfastConfig none = load("port: 8080", "s3cret", "mine", "t0ken");
        HoldfastConfig first = load(tls, "s3cret", "mine", "t0ken");
        Certificate.make(directory);
        HoldfastConfig second = load(tls, "s3cret", "mine", "t0ken");

        assertThat(EffectiveConfig.changedAtOnce(first, second)).containsExactly("receiver.tls");
        assertThat(EffectiveConfig.changedAtOnce(none, first)).isEmpty();
    }

    private HoldfastConfig load(String receiver, String secret, String consumer, String token) throws IOException {
        Path file =
                Files.writeString(directory.resolve("changed.yaml"), """
                receiver:
                  %s
                  endpoints: [{name: default, path: /webhook, secrets: [%s]}]
                consumers: [{name: %s, events: ["*"], verticle: log}]
                management: {token: %s}
                """.formatted(receiver, secret, consumer, token));
        return ConfigLoader.read(file, Map.of()).config();
    }

    private HoldfastConfig config() throws IOException {
        Path file = Files.writeString(directory.resolve("holdfast.yaml"), """
                receiver:
                  endpoints:
                    - {name: default, path: /webhook, secrets: ["s3cret-one", "s3cret-${TWO}"]}
                consumers:
                  - name: mine
                    events: ["client.*", "visitor.*"]
                    verticle: http
                    options: {url: "https://u:s3cret@x/", password: "s3cret", bearer-token: "s3cret", headers: {X-Api-Key: "s3cret"}}
                management: {token: s3cret-three}
                """);
        return ConfigLoader.read(file, Map.of("TWO", "two")).config();
    }
}
