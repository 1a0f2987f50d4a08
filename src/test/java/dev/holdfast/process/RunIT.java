package dev.holdfast.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code run}, and the ways in which it does not start. */
@Timeout(900)
final class RunIT {
    private static final String EVENT = "conversation.created";

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

    /** That it ended with status 1, and with one line that says why. */
    private static void assertRefusesToStart(Child gateway, String... parts) throws Exception {
        assertThat(gateway.awaitExit()).isEqualTo(1);
        for (String part : parts) {
            assertThat(gateway.err().lines()).last().asString().contains(part);
        }
        assertThat(gateway.err().text()).doesNotContain("Exception", "\tat ");
    }

    @Test
    void aPortInUseEndsTheStart() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            installation.configure("");
            installation.edit("  port: 0\n  endpoints", "  port: " + other.getLocalPort() + "\n  endpoints");

            assertRefusesToStart(
                    installation.run(),
                    "holdfast: receiver.host and port: ",
                    "in use already",
                    String.valueOf(other.getLocalPort()));
        }
    }

    @Test
    void asShippedItIsReadyAndAnswersAPushWith200AlsoAfterASecondOneWasStartedOnItsJournal() throws Exception {
        Child first = installation.running();
        assertThat(client.get(first.management("/readyz")).statusCode()).isEqualTo(200);
        assertThat(client.get(first.management("/livez")).statusCode()).isEqualTo(200);

        assertRefusesToStart(
                installation.run(), "holdfast: ", "in use by another process, a gateway or a command", "data");
        assertThat(client.push(first, 0).statusCode()).isEqualTo(200);
        first.awaitLog("conversations: " + EVENT + " seq=1 endpoint=default");
    }

    @Test
    void logsAsJsonAreAnObjectALine() throws Exception {
        installation.set("HOLDFAST_LOG_FORMAT", "json");
        installation.edit("drain-delay: 5s", "drain-delay: 0s");
        Child gateway = installation.running();
        assertThat(client.push(gateway, 0).statusCode()).isEqualTo(200);
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

    @Test
    void loggingThatCanNotBeMeantIsUsedWrongly() throws Exception {
        installation.set("HOLDFAST_LOG_FORMAT", "JSON");
        Child gateway = installation.run();

        assertThat(gateway.awaitExit()).isEqualTo(2);
        assertThat(gateway.err().text().strip())
                .isEqualTo("holdfast: HOLDFAST_LOG_FORMAT: found \"JSON\", expected text or json");
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
