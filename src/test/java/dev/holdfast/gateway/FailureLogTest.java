package dev.holdfast.gateway;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LogLines;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the log says of a consumer's failures. */
@Timeout(60)
class FailureLogTest {
    @TempDir
    Path directory;

    private final Deliveries deliveries = new Deliveries();

    private void fail() {
        deliveries.behave(push -> {
            throw new NullPointerException("no customer");
        });
        try (GatewayUnderTest gateway =
                GatewayUnderTest.start(new GatewaySettings().consumer("mine", "*", deliveries), directory)) {
            gateway.push(envelope("client.created", 1));
            eventually(() -> assertThat(deliveries.attempts()).hasSizeGreaterThan(2));
        }
    }

    @Test
    void whereItWasThrownStandsInTheLogAtDebugWithoutWhatItSays() {
        try (LogLines log = LogLines.atTrace()) {
            fail();

            assertThat(log.lines())
                    .anyMatch(line -> line.startsWith("DEBUG dev.holdfast")
                            && line.contains("java.lang.NullPointerException")
                            && !line.contains("no customer")
                            && line.contains("at dev.holdfast.gateway.FailureLogTest"));
        }
    }

    @Test
    void otherwiseAFailureIsALine() {
        try (LogLines log = LogLines.atWarn()) {
            fail();

            assertThat(log.lines()).noneMatch(line -> line.contains("FailureLogTest"));
            assertThat(log.lines())
                    .anyMatch(line -> line.startsWith("WARN")
                            && line.contains("NullPointerException: no customer")
                            && line.endsWith(" consumer=mine seq=1 event=client.created endpoint=default"));
        }
    }
}
