package dev.holdfast.gateway;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LogLines;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Pushes that nobody subscribed to. */
@Timeout(60)
class UnsubscribedTest {
    @TempDir
    Path directory;

    private final Deliveries deliveries = new Deliveries();

    @Test
    void anEventWithoutAConsumerIsCountedAndNamedOnceAndKeptForAConsumerThatComesLater() {
        try (LogLines log = LogLines.atWarn();
                GatewayUnderTest gateway = GatewayUnderTest.start(
                        new GatewaySettings().consumer("clients", "client.*", deliveries), directory)) {
            for (int n = 0; n < 3; n++) {
                gateway.push(envelope("ticket.opened", n));
            }
            gateway.push(envelope("ticket.closed", 4));

            eventually(() -> assertThat(gateway.metric("holdfast_pushes_unsubscribed_total"))
                    .isEqualTo(4));
            eventually(() -> assertThat(log.lines())
                    .filteredOn(line -> line.contains("ticket.closed"))
                    .hasSize(1));
            assertThat(log.lines())
                    .filteredOn(line -> line.contains("ticket.opened"))
                    .hasSize(1);
        }
        GatewaySettings later = new GatewaySettings().consumer("tickets", "ticket.*", deliveries, "start: earliest");
        try (GatewayUnderTest gateway = GatewayUnderTest.start(later, directory)) {
            assertThat(gateway.isReady()).isTrue();
            eventually(() -> assertThat(deliveries.handledSeqs()).containsExactly(1L, 2L, 3L, 4L));
        }
    }

    @Test
    void anUnreadablePushIsSubscribedToByNobodyThatDoesNotNameIt() {
        GatewaySettings settings = new GatewaySettings().consumer("everything", "*", deliveries);
        try (LogLines log = LogLines.atWarn();
                GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            gateway.push("broken");
            gateway.push(envelope("ticket.opened", 1));

            eventually(() -> assertThat(deliveries.handledSeqs()).containsExactly(2L));
            eventually(() -> assertThat(gateway.metric("holdfast_pushes_unsubscribed_total"))
                    .isEqualTo(1));
            assertThat(log.lines())
                    .filteredOn(line -> line.contains("no consumer subscribed to push.unreadable"))
                    .hasSize(1);
        }
    }

    @Test
    void noMoreThanABoundedNumberOfNamesIsLogged() {
        try (LogLines log = LogLines.atWarn();
                GatewayUnderTest gateway = GatewayUnderTest.start(new GatewaySettings(), directory)) {
            for (int n = 0; n < 60; n++) {
                gateway.push(envelope("made-up." + n, n));
            }

            eventually(() -> assertThat(gateway.metric("holdfast_pushes_unsubscribed_total"))
                    .isEqualTo(60));
            assertThat(log.lines())
                    .filteredOn(line -> line.contains("made-up."))
                    .hasSize(50);
        }
    }
}
