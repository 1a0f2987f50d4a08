package dev.holdfast.gateway;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.gateway.GatewayUnderTest.bytes;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static dev.holdfast.gateway.GatewayUnderTest.request;
import static dev.holdfast.gateway.GatewayUnderTest.signed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LogLines;
import io.netty.util.ResourceLeakDetector;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Network buffers are given back on every way that a request can end; Netty's leak detection follows each of them here. It
 * takes as much of the processors as all the rest, so elsewhere, where nobody reads what it says, it follows few.
 */
@Timeout(60)
class BufferLeakTest {
    private static final ResourceLeakDetector.Level USUAL = ResourceLeakDetector.getLevel();

    @TempDir
    Path directory;

    private int pushes;

    @BeforeAll
    static void followEachBuffer() {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    }

    @AfterAll
    static void followFewBuffers() {
        ResourceLeakDetector.setLevel(USUAL);
    }

    private byte[] push() {
        return signed(envelope("client.created", ++pushes));
    }

    private void everyWayToEnd(GatewayUnderTest gateway) {
        byte[] half = push();
        for (int i = 0; i < 20; i++) {
            gateway.send(push());
            gateway.send(request(bytes("{}")));
            gateway.send(request(new byte[100_000]));
            gateway.send(bytes("POST /other HTTP/1.1\r\nHost: gateway\r\nContent-Length: 4\r\n\r\nbody"));
            gateway.send(bytes("POST /webhook HTTP/1.1\r\nContent-Length: 4\r\n\r\nbody"));
            gateway.connect().send(half, 0, half.length - 3).reset();
            gateway.connect().send(push()).reset();
            gateway.connect()
                    .send("POST /webhook HTTP/1.1\r\nX: a\0b\r\nContent-Length: 4\r\n\r\nbody")
                    .reset();
        }
        gateway.connect().send(half, 0, half.length - 3).isClosed();
        pipeline(gateway);
    }

    private void pipeline(GatewayUnderTest gateway) {
        ByteArrayOutputStream requests = new ByteArrayOutputStream();
        for (int i = 0; i < 400; i++) {
            requests.writeBytes(push());
        }
        try (RawConnection connection = gateway.connect()) {
            connection.send(requests.toByteArray());
            for (int i = 0; i < 400; i++) {
                assertThat(connection.answer().status()).isEqualTo(200);
            }
        }
    }

    @Test
    void noBufferIsLostOfRequestsThatAreGivenUpWhileTheyWait() {
        GatewaySettings settings =
                new GatewaySettings().receiver("max-body: 1MiB").receiver("max-in-flight: 2MiB");
        try (LogLines log = LogLines.atWarn()) {
            try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
                try (StallingClients clients = new StallingClients(gateway, 50, "127.0.0.2", 1 << 20)) {
                    eventually(() -> assertThat(clients.begun()).isGreaterThan(51));
                }
                eventually(() -> assertThat(gateway.metric("holdfast_receiver_unverified_waiting_requests"))
                        .isZero());
            }
            try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
                System.gc();
                pipeline(gateway);
            }
            assertThat(log.lines()).noneMatch(line -> line.contains("LEAK"));
        }
    }

    @Test
    void noBufferIsLostOnAnyWay() {
        GatewaySettings settings =
                new GatewaySettings().receiver("max-body: 64KiB").receiver("body-timeout: 300ms");
        try (LogLines log = LogLines.atWarn()) {
            try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
                everyWayToEnd(gateway);
            }
            try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
                // What was lost is told when the next buffers are taken after it was collected.
                System.gc();
                pipeline(gateway);
            }
            assertThat(log.lines()).noneMatch(line -> line.contains("LEAK"));
            assertThat(log.lines()).noneMatch(line -> line.contains("exceptionCaught"));
        }
    }
}
