package dev.holdfast.gateway;

import static dev.holdfast.gateway.GatewayUnderTest.bytes;

import java.io.UncheckedIOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Clients that each send all but the last bytes of a large body under a wrong signature, stop, and begin anew as soon as
 * their connection ends.
 */
final class StallingClients implements AutoCloseable {
    private static final int LEFT_OUT = 5;

    private final ExecutorService threads;
    private final AtomicInteger begun = new AtomicInteger();
    private volatile boolean over;

    StallingClients(GatewayUnderTest gateway, int count, String address, int size) {
        threads = Executors.newFixedThreadPool(count, task -> {
            Thread thread = new Thread(task, "stalling");
            thread.setDaemon(true);
            return thread;
        });
        byte[] head = bytes("POST /webhook HTTP/1.1\r\nHost: gateway\r\nService-Signature: " + "0".repeat(40)
                + "\r\nContent-Length: " + size + "\r\n\r\n");
        byte[] body = new byte[size - LEFT_OUT];
        for (int i = 0; i < count; i++) {
            threads.execute(() -> {
                while (!over) {
                    stall(gateway, address, head, body);
                }
            });
        }
    }

    private void stall(GatewayUnderTest gateway, String address, byte[] head, byte[] body) {
        try (RawConnection connection = gateway.connectFrom(address)) {
            begun.incrementAndGet();
            connection.send(head).send(body);
            while (!over && connection.isSilentFor(200)) {
                // It has nothing else to do.
            }
            if (over) {
                // Or the gateway waits for it as it stops.
                connection.reset();
            }
        } catch (UncheckedIOException e) {
            // Given up by the gateway in the middle of it.
        }
    }

    /** How many connections there were. */
    int begun() {
        return begun.get();
    }

    @Override
    public void close() {
        over = true;
        threads.shutdownNow();
    }
}
