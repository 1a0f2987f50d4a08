package dev.holdfast;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.consumer.http.Certificate;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the program asks of the Java that runs it. */
@Timeout(60)
class HoldfastTest {
    /** As one made with {@code jlink} may be. */
    @Test
    void aJavaWithoutAModuleThatIsNeededIsTold(@TempDir Path directory) throws Exception {
        ProcessBuilder java = JavaProcess.of(Holdfast.class, "validate");
        java.command().add(1, "--limit-modules=java.base,java.logging,java.management");
        Process process =
                java.directory(directory.toFile()).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(said)
                .isEqualTo("holdfast: found a Java without jdk.management and java.net.http,"
                        + " expected one that has these modules\n");
        assertThat(process.waitFor()).isEqualTo(1);
    }

    @Test
    void theModulesThatTheGuideNamesAreEnoughForTls(@TempDir Path directory) throws Exception {
        Certificate certificate = Certificate.make(directory);
        Path file = Files.writeString(
                directory.resolve("holdfast.yaml"), """
                receiver:
                  endpoints: [{name: default, path: /webhook, secrets: [0123456789abcdef0123456789abcdef]}]
                  tls: {certificate: "%s", key: "%s"}
                """.formatted(certificate.chain(), certificate.key()));
        Process process = JavaProcess.withModulesOfTheGuide(Holdfast.class, "validate", "-c", file.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);

        assertThat(process.waitFor()).as(said).isZero();
    }
}
