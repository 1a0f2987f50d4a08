package dev.holdfast.gateway;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.gateway.GatewayUnderTest.bytes;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static dev.holdfast.gateway.GatewayUnderTest.signed;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.UncheckedIOException;
import java.net.SocketException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections and bodies that take their time; the timeouts are long enough for whoever is only held up by the machine. */
@Execution(ExecutionMode.CONCURRENT)
class SlowClientsTest {
    private static final String HEAD = "POST /webhook HTTP/1.1\r\nHost: gateway\r\nContent-Length: 1000\r\n\r\n";

    /** Of one head: ten seconds' worth. */
    private static final int MOST_LINES = 200;

    @TempDir
    static Path directory;

    private static GatewayUnderTest gateway;

    @BeforeAll
    static void start() {
        GatewaySettings settings = new GatewaySettings()
                .receiver("header-timeout: 2s")
                .receiver("body-timeout: 2s")
                .receiver("idle-timeout: 3s");
        gateway = GatewayUnderTest.start(settings, directory);
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    /** Sends header lines, one at a time, until the connection has ended; how many. */
    private static int trickle(RawConnection connection) {
        int lines = 0;
        try {
            while (lines < MOST_LINES && connection.isSilentFor(50)) {
                connection.send("X-" + lines++ + ": 1\r\n");
            }
        } catch (UncheckedIOException e) {
            assertThat(e).hasCauseInstanceOf(SocketException.class);
        }
        return lines;
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "POST /web", "POST /webhook HTTP/1.1\r\nHost: gateway\r\n"})
    void aHeadThatDoesNotComeEndsTheConnection(String begun) {
        try (RawConnection connection = gateway.connect()) {
            connection.send(begun);

            assertThat(connection.isClosed()).isTrue();
        }
    }

    @Test
    void aHeadThatTricklesInEndsTheConnection() {
        try (RawConnection connection = gateway.connect()) {
            connection.send("POST /webhook HTTP/1.1\r\n");

            assertThat(trickle(connection)).isLessThan(MOST_LINES);
        }
    }

    @Test
    @ResourceLock("refusals")
    void aBodyThatStopsIsAnswered408() {
        double before = gateway.refusals("slow-body");
        try (RawConnection connection = gateway.connect()) {
            HttpAnswer answer = connection.send(HEAD + "half").answer();

            assertThat(answer.status()).isEqualTo(408);
            assertThat(answer.header("connection")).isEqualTo("close");
            assertThat(connection.isClosed()).isTrue();
        }
        assertThat(gateway.refusals("slow-body") - before).isEqualTo(1);
        eventually(() ->
                assertThat(gateway.metric("holdfast_receiver_inflight_bytes")).isZero());
    }

    @Test
    @ResourceLock("refusals")
    void aBodyThatTricklesInIsAnswered408() {
        try (RawConnection connection = gateway.connect()) {
            connection.send(HEAD);
            int sent = 0;
            while (sent < 200 && connection.isSilentFor(50)) {
                connection.send("x");
                sent++;
            }

            assertThat(connection.answer().status()).isEqualTo(408);
        }
    }

    @Test
    void anIdleConnectionIsEnded() {
        try (RawConnection connection = gateway.connect()) {
            assertThat(connection
                            .send(signed(envelope("client.created", 1)))
                            .answer()
                            .status())
                    .isEqualTo(200);

            assertThat(connection.isClosed()).isTrue();
        }
    }

    @Test
    void aSecondHeadThatTricklesInEndsTheConnection() {
        try (RawConnection connection = gateway.connect()) {
            connection.send(signed(envelope("client.created", 2))).answer();
            connection.send("POST /webhook HTTP/1.1\r\n");

            assertThat(trickle(connection)).isLessThan(MOST_LINES);
        }
    }

    @Test
    void aConnectionInUseIsNotIdle() {
        try (RawConnection connection = gateway.connect()) {
            for (int i = 0; i < 10; i++) {
                assertThat(connection.isSilentFor(400)).isTrue();
                assertThat(connection
                                .send(signed(bytes(envelope("client.created", 10 + i))))
                                .answer()
                                .status())
                        .isEqualTo(200);
            }
        }
    }
}
