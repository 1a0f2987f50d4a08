package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.Secret;
import dev.holdfast.config.TlsConfig;
import dev.holdfast.config.TlsIdentity;
import dev.holdfast.consumer.http.Certificate;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is told of a port's certificate. */
class PortCertificateTest {
    @TempDir
    Path directory;

    /** Some authorities give no more than six days, or one. */
    @Test
    void oneThatLivesForDaysOnlyIsNotToldWhileItIsNew() throws Exception {
        Certificate files = Certificate.make(directory, "EC", 0, 6);
        PortCertificate certificate = certificate(files);
        Instant end = identity(files).goodUntil();

        assertThat(certificate.notice(end.minus(Duration.ofDays(2)))).isEmpty();
        assertThat(certificate.notice(end.minus(Duration.ofHours(23)))).contains(" is good only until " + end);
    }

    private static TlsIdentity identity(Certificate files) throws IOException {
        return new TlsIdentity(Files.readString(files.chain()), new Secret(Files.readString(files.key())));
    }

    private static PortCertificate certificate(Certificate files) throws IOException {
        return new PortCertificate(
                "receiver.tls",
                new TlsConfig(files.chain(), files.key(), identity(files)),
                shown -> Future.succeededFuture());
    }

    @Test
    void itsEndIsToldFromSevenDaysBeforeOn() throws Exception {
        Certificate files = Certificate.make(directory);
        PortCertificate certificate = certificate(files);
        Instant end = identity(files).goodUntil();

        assertThat(certificate.notice(end.minus(Duration.ofDays(8)))).isEmpty();
        assertThat(certificate.notice(end.minus(Duration.ofDays(6)))).contains(" is good only until " + end);
        assertThat(certificate.notice(end.plusSeconds(1))).contains(" was good until " + end);
    }

    @Test
    void oneThatIsNotGoodYetIsToldUntilItIs() throws Exception {
        Certificate files = Certificate.make(directory, "EC", -2, 90);
        PortCertificate certificate = certificate(files);
        Instant begin = identity(files).goodFrom();

        assertThat(certificate.notice(begin.minusSeconds(1))).contains(" is good only from " + begin);
        assertThat(certificate.notice(begin)).isEmpty();
    }

    @Test
    void aPortWithoutTlsHasNothingToTell() {
        assertThat(new PortCertificate("receiver.tls", null, shown -> Future.succeededFuture()).notice(Instant.MAX))
                .isEmpty();
    }
}
