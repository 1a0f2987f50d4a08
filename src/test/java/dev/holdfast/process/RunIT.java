package dev.holdfast.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.HeldPort;
import dev.holdfast.signature.SignatureScheme;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code run}, from its start over its stop to the ways in which it does not start. */
@Timeout(900)
final class RunIT {
    private static final String EVENT = "conversation.created";
    private static final long DRAIN_NANOS = 6_000_000_000L;
    /** How long before the port closes a push must have been sent so that it can't have met the closing. */
    private static final long MARGIN_NANOS = 3_000_000_000L;

    @TempDir
    Path directory;

    private final PushClient client = new PushClient();
    private Installation installation;

    @BeforeEach
    void install() throws IOException {
        installation = new Installation(directory);
        installation.configureAsShipped();
    }

    @AfterEach
    void remove() {
        installation.close();
    }

    private Child running() throws Exception {
        Child gateway = installation.run();
        gateway.awaitReady();
        return gateway;
    }

    private int status(Child gateway, String secret) throws Exception {
        return client.send(gateway.webhook(), secret, EVENT, 0).statusCode();
    }

    /** That it ended with status 1, and with one line that says why. */
    private static void assertRefusesToStart(Child gateway, String... parts) throws Exception {
        assertThat(gateway.awaitExit()).isEqualTo(1);
        for (String part : parts) {
            assertThat(gateway.err().lines()).last().asString().contains(part);
        }
        assertThat(gateway.err().text()).doesNotContain("Exception", "\tat ");
    }

    @Test
    void asShippedItIsReadyAndAnswersAPushWith200() throws Exception {
        Child gateway = running();

        assertThat(client.get(gateway.management("/readyz")).statusCode()).isEqualTo(200);
        assertThat(client.get(gateway.management("/livez")).statusCode()).isEqualTo(200);
        assertThat(status(gateway, Installation.SECRET)).isEqualTo(200);
        gateway.awaitLog("conversations: " + EVENT + " seq=1 endpoint=default");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TERM", "INT"})
    void aSignalDrainsItAndNoPushIsLostUntilThePortCloses(String signal) throws Exception {
        installation.edit("drain-delay: 5s", "drain-delay: " + DRAIN_NANOS / 1_000_000 + "ms");
        Child gateway = running();
        Traffic traffic = Traffic.start(gateway.webhook(), Installation.SECRET, 200, 0);
        traffic.awaitAnswers(200);

        long before = traffic.sentSoFar();
        long early = System.nanoTime() + DRAIN_NANOS - MARGIN_NANOS;
        gateway.signal(signal);
        Await.until(
                "readiness is red",
                () -> client.get(gateway.management("/readyz")).statusCode() == 503);
        long safe = sentBefore(early, traffic);
        assertThat(gateway.awaitExit()).isZero();
        traffic.stop();

        assertThat(safe).as("sent after the signal").isGreaterThan(before);
        assertThat(traffic.sent().stream()
                        .sorted(Comparator.comparingLong(SentPush::due))
                        .limit(safe))
                .allSatisfy(push -> assertThat(push.status()).isEqualTo(200));
        assertThat(traffic.sent()).allSatisfy(push -> assertThat(push.status()).isIn(200, 0));
        assertThat(new Evidence(traffic.sent(), KeptPush.all(installation.path("data")), List.of()).journalComplaints())
                .isEmpty();
    }

    /** Some milliseconds before the start is over: the moment in which a client that waits for the port comes. */
    @Test
    void aSignalThatComesAsThePortOpensDrainsIt() throws Exception {
        try (HeldPort port = new HeldPort()) {
            installation.configure("");
            installation.edit("  port: 0\n  endpoints", "  port: " + port.number() + "\n  endpoints");
            installation.edit("drain-delay: 0s", "drain-delay: 2s");
            byte[] body = "{}".getBytes(StandardCharsets.UTF_8);
            String signature = SignatureScheme.sign(body, Installation.SECRET.getBytes(StandardCharsets.UTF_8));
            String head = "POST /webhook HTTP/1.1\r\nHost: gateway\r\nService-Signature: " + signature
                    + "\r\nContent-Length: 2\r\n\r\n";
            Child gateway = installation.run();

            try (Socket socket = connectAsSoonAsItOpens(gateway, port.number())) {
                socket.getOutputStream().write(head.getBytes(StandardCharsets.UTF_8));
                ProcessHandle.of(gateway.pid()).orElseThrow().destroy();
                gateway.awaitLog("stopping: pushes are accepted");
                socket.getOutputStream().write(body);

                assertThat(new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))
                                .readLine())
                        .isEqualTo("HTTP/1.1 200 OK");
            }
            assertThat(gateway.awaitExit()).isZero();
        }
    }

    private static Socket connectAsSoonAsItOpens(Child gateway, int port) throws IOException {
        while (true) {
            try {
                return new Socket(InetAddress.getLoopbackAddress(), port);
            } catch (ConnectException e) {
                assertThat(gateway.isAlive()).as(gateway.output()).isTrue();
            }
        }
    }

    /** How many pushes were sent until then, or a moment before: what a busy machine is late with is sent later. */
    private static long sentBefore(long nanos, Traffic traffic) throws Exception {
        AtomicLong safe = new AtomicLong();
        Await.until("the time has come", () -> {
            long sent = traffic.sentSoFar();
            boolean over = System.nanoTime() - nanos > 0;
            safe.set(over ? safe.get() : sent);
            return over;
        });
        return safe.get();
    }

    @Test
    void aPortInUseEndsTheStart() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            installation.configure("");
            installation.edit("  port: 0\n  endpoints", "  port: " + other.getLocalPort() + "\n  endpoints");

            assertRefusesToStart(
                    installation.run(),
                    "holdfast: receiver.port: ",
                    "in use already",
                    String.valueOf(other.getLocalPort()));
        }
    }

    @Test
    void aManagementPortInUseEndsTheStart() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            installation.configure("");
            installation.edit("management:\n  port: 0", "management:\n  port: " + other.getLocalPort());

            assertRefusesToStart(
                    installation.run(),
                    "holdfast: management.port: ",
                    "in use already",
                    String.valueOf(other.getLocalPort()));
        }
    }

    @Test
    void aMissingSecretEndsTheStartWithFileLineAndKey() throws Exception {
        installation.unset("HOLDFAST_SECRET");
        Child gateway = installation.run();

        assertRefusesToStart(gateway);
        assertThat(gateway.output().strip())
                .matches("conf/holdfast\\.yaml:\\d+: receiver\\.endpoints\\[0]\\.secrets\\[0]: .*HOLDFAST_SECRET.*");
    }

    @Test
    void aSecondGatewayOnTheSameJournalEndsAndTheFirstGoesOn() throws Exception {
        Child first = running();

        assertRefusesToStart(
                installation.run(), "holdfast: ", "in use by another process, a gateway or a command", "data");
        assertThat(status(first, Installation.SECRET)).isEqualTo(200);
    }

    @Test
    void secretsRotateWhileRunningWithoutALostPush() throws Exception {
        String next = "the-next-secret-of-these-tests-77aa";
        installation.keepSecret(next);
        installation.set("NEXT", next);
        Child gateway = running();
        Traffic traffic = Traffic.start(gateway.webhook(), Installation.SECRET, 200, 0);
        traffic.awaitAnswers(100);
        assertThat(status(gateway, next)).isEqualTo(401);

        installation.edit("[\"${HOLDFAST_SECRET}\"]", "[\"${HOLDFAST_SECRET}\", \"${NEXT}\"]");
        Await.until("the next secret is accepted", () -> status(gateway, next) == 200);
        traffic.stop();
        assertThat(traffic.sent()).allSatisfy(push -> assertThat(push.status()).isEqualTo(200));

        installation.edit("[\"${HOLDFAST_SECRET}\", \"${NEXT}\"]", "[\"${NEXT}\"]");
        Await.until("the old secret is refused", () -> status(gateway, Installation.SECRET) == 401);
        assertThat(status(gateway, next)).isEqualTo(200);
    }

    @Test
    void aSecretInAFileRotatesWithTheFile() throws Exception {
        Path file = installation.path("signing-secret");
        Set<String> secrets = new HashSet<>(Set.of("secret-in-a-file-number-1", "secret-in-a-file-number-2"));
        secrets.forEach(installation::keepSecret);
        Files.writeString(file, "secret-in-a-file-number-1\n");
        installation.edit("${HOLDFAST_SECRET}", "${file:" + file + "}");
        Child gateway = running();
        assertThat(status(gateway, "secret-in-a-file-number-1")).isEqualTo(200);

        Files.writeString(file, "secret-in-a-file-number-2\n");
        Await.until("the file's new secret is accepted", () -> status(gateway, "secret-in-a-file-number-2") == 200);
        assertThat(status(gateway, "secret-in-a-file-number-1")).isEqualTo(401);
    }

    @Test
    void aBadEditIsRefusedAndTheOldConfigurationStaysInForce() throws Exception {
        Child gateway = running();

        installation.edit("signature-header:", "signature-haeder:");
        gateway.awaitLog("the changed configuration is refused and the one before stays in force");
        gateway.awaitLog("conf/holdfast\\.yaml:\\d+: .*signature-haeder");
        assertThat(status(gateway, Installation.SECRET)).isEqualTo(200);
    }

    /** Unasked a bad file is told once, and one that is in force not at all. */
    @Test
    void aHangUpDuringTheStartDoesNotEndIt() throws Exception {
        installation.configure("");
        Child gateway = installation.run();
        gateway.awaitLog("configuration:");
        gateway.signal("HUP");
        gateway.awaitReady();
        gateway.awaitLog("nothing in the configuration differs from what is in force");

        assertThat(status(gateway, Installation.SECRET)).isEqualTo(200);
    }

    @Test
    void aHangUpReadsTheConfigurationAtOnceChangedOrNot() throws Exception {
        Child gateway = running();
        gateway.signal("HUP");
        gateway.awaitLog("nothing in the configuration differs from what is in force");

        installation.edit("signature-header:", "signature-haeder:");
        Await.until("the bad file is refused", () -> refusals(gateway) == 1);
        gateway.signal("HUP");
        Await.until("it is refused again", () -> refusals(gateway) == 2);
        assertThat(status(gateway, Installation.SECRET)).isEqualTo(200);

        installation.edit("signature-haeder:", "signature-header:");
        installation.edit("  level: info", "  level: debug");
        gateway.signal("HUP");
        gateway.awaitLog("the log's level is debug now");
        gateway.awaitLog("the changed configuration is in force");
        assertThat(status(gateway, Installation.SECRET)).isEqualTo(200);
    }

    private static long refusals(Child gateway) {
        return gateway.err().lines().stream()
                .filter(line -> line.contains("the changed configuration is refused"))
                .count();
    }

    @Test
    void logsAsJsonAreAnObjectALine() throws Exception {
        installation.set("HOLDFAST_LOG_FORMAT", "json");
        installation.edit("drain-delay: 5s", "drain-delay: 0s");
        Child gateway = running();
        assertThat(status(gateway, Installation.SECRET)).isEqualTo(200);
        gateway.awaitLog(EVENT + " seq=1");
        gateway.terminate();

        JsonObject handled = gateway.err().lines().stream()
                .map(JsonObject::new)
                .filter(line -> line.containsKey("seq"))
                .findFirst()
                .orElseThrow();
        assertThat(handled.getLong("seq")).isEqualTo(1);
        assertThat(handled.getString("event")).isEqualTo(EVENT);
        assertThat(handled.getString("endpoint")).isEqualTo("default");
        assertThat(handled.getString("consumer")).isEqualTo("conversations");

        assertThat(gateway.err().lines())
                .hasSizeGreaterThan(3)
                .allSatisfy(line -> assertThat(new JsonObject(line).fieldNames())
                        .contains("time", "level", "logger", "thread", "message"));
        assertThat(gateway.out().lines()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        HOLDFAST_LOG_FORMAT | JSON  | text or json
        HOLDFAST_LOG_LEVEL  | bogus | error, warn, info, debug or trace
        """)
    void loggingThatCanNotBeMeantIsUsedWrongly(String variable, String found, String expected) throws Exception {
        installation.configure("");
        installation.set(variable, found);
        try (Child gateway = installation.run()) {
            assertThat(gateway.awaitExit()).isEqualTo(2);
            assertThat(gateway.err().text().strip())
                    .isEqualTo("holdfast: " + variable + ": found \"" + found + "\", expected " + expected);
        }
    }

    @Test
    void whatIsRefusedIsRefusedBeforeTheJournalIsMade() throws Exception {
        installation.edit("#tls:\n  #  certificate", "tls:\n    certificate");
        installation.edit("#  key: conf/tls.key", "  key: conf/tls.key");
        Child gateway = installation.run();

        assertRefusesToStart(gateway);
        assertThat(gateway.err().lines())
                .hasSize(2)
                .first()
                .asString()
                .matches("conf/holdfast\\.yaml:\\d+: receiver\\.tls\\.certificate: found conf/tls\\.crt, which does not"
                        + " exist, expected a PEM file with certificates");
        assertThat(installation.path("data")).doesNotExist();
    }

    @Test
    void aResultThatCannotBeWrittenIsAFailureThatIsSaid() throws Exception {
        List<String> full = List.of("bash", "-c", "\"$@\" > /dev/full", "-");

        Child validate = installation.startUnder(full, "validate");

        assertRefusesToStart(validate, "can't write to standard output: No space left on device");
    }
}
