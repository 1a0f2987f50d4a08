package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.Secret;
import dev.holdfast.config.TlsConfig;
import dev.holdfast.config.TlsIdentity;
import dev.holdfast.consumer.http.Certificate;
import io.vertx.core.Future;
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

    @Test
    void itsEndIsToldFromSevenDaysBeforeOn() throws Exception {
        Certificate files = Certificate.make(directory);
        TlsIdentity identity =
                new TlsIdentity(Files.readString(files.chain()), new Secret(Files.readString(files.key())));
        PortCertificate certificate = new PortCertificate(
                "receiver.tls", new TlsConfig(files.chain(), files.key(), identity), shown -> Future.succeededFuture());
        Instant end = identity.goodUntil();

        assertThat(certificate.notice(end.minus(Duration.ofDays(8)))).isEmpty();
        assertThat(certificate.notice(end.minus(Duration.ofDays(6)))).contains(" is good only until " + end);
        assertThat(certificate.notice(end.plusSeconds(1))).contains(" was good until " + end);
    }

    @Test
    void aPortWithoutTlsHasNothingToTell() {
        assertThat(new PortCertificate("receiver.tls", null, shown -> Future.succeededFuture()).notice(Instant.MAX))
                .isEmpty();
    }
}
