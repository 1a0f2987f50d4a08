package dev.holdfast.gateway;

import static dev.holdfast.gateway.GatewayUnderTest.bytes;
import static dev.holdfast.gateway.GatewayUnderTest.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Eventually;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Searches that take long, and many of them, are made where no probe of a balancer waits for its turn. */
@Timeout(120)
class ManySearchesTest {
    private static final int KEPT = 16;

    @TempDir
    private Path directory;

    @Test
    void searchesHaveThreadsThatAreNobodyElses() {
        ExecutorService operators = Executors.newFixedThreadPool(2);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(new GatewaySettings(), directory)) {
            fill(gateway);
            AtomicBoolean over = new AtomicBoolean();
            for (int i = 0; i < 2; i++) {
                operators.execute(() -> {
                    while (!over.get()) {
                        gateway.management("/api/v1/quarantine?event=no.such");
                    }
                });
            }
            Set<String> searching = new HashSet<>();
            Eventually.until(() -> {
                searching.addAll(threadsThatSearch());
                return !searching.isEmpty();
            });
            over.set(true);

            assertThat(searching).allMatch(name -> name.startsWith("push-search"));
        } finally {
            operators.shutdown();
        }
    }

    private static List<String> threadsThatSearch() {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(thread -> Stream.of(thread.getValue())
                        .anyMatch(frame -> frame.getClassName().startsWith("dev.holdfast.quarantine.Quarantine")))
                .filter(thread -> Stream.of(thread.getValue())
                        .anyMatch(frame -> frame.getClassName().startsWith("dev.holdfast.management.QuarantineApi")))
                .map(thread -> thread.getKey().getName())
                .toList();
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
