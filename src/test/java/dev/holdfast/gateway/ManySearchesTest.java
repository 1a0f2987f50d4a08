package dev.holdfast.gateway;

import static dev.holdfast.gateway.GatewayUnderTest.bytes;
import static dev.holdfast.gateway.GatewayUnderTest.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Eventually;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Searches that take long, and many of them: a balancer takes away a gateway whose readiness it waits for. */
@Timeout(120)
class ManySearchesTest {
    /** More than twice as many as Vert.x has worker threads. */
    private static final int SEARCHES = 45;

    private static final int KEPT = 16;

    @TempDir
    private Path directory;

    @Test
    void aProbeIsAnsweredBeforeThem() {
        ExecutorService operators = Executors.newFixedThreadPool(SEARCHES);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(new GatewaySettings(), directory)) {
            fill(gateway);
            AtomicInteger answered = new AtomicInteger();
            for (int i = 0; i < SEARCHES; i++) {
                operators.execute(() -> {
                    gateway.management("/api/v1/quarantine?event=no.such");
                    answered.incrementAndGet();
                });
            }
            Eventually.until(() -> answered.get() > 0);

            assertThat(gateway.isReady()).isTrue();

            assertThat(answered.get()).isLessThan(SEARCHES / 3);
        } finally {
            operators.shutdownNow();
        }
    }

    /** With what takes a while to be looked through. */
    private static void fill(GatewayUnderTest gateway) {
        byte[] body = bytes("{\"event\":\"client.created\",\"client\":["
                + "{\"name\":\"somebody\",\"n\":12345},".repeat(30_000) + "0]}");
        Eventually.until(() -> {
            gateway.send(request(body, "Service-Signature: wrong"));
            return gateway.metric("holdfast_quarantine_requests") >= KEPT;
        });
    }
}
