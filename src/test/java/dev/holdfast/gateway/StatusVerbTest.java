package dev.holdfast.gateway;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.Eventually.until;
import static dev.holdfast.gateway.GatewayUnderTest.bytes;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static dev.holdfast.gateway.GatewayUnderTest.request;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.push.PermanentFailure;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code holdfast status} beside a gateway that has a dead letter. */
@Timeout(60)
class StatusVerbTest {
    private static final char ESCAPE = '\u001b';

    @TempDir
    static Path directory;

    private static GatewayUnderTest gateway;

    @BeforeAll
    static void start() {
        Deliveries deliveries =
                new Deliveries().behave(push -> Future.failedFuture(new PermanentFailure("no such customer")));
        gateway = GatewayUnderTest.start(new GatewaySettings().consumer("mine", "*", deliveries), directory);
        gateway.push(envelope("client.created", 1));
        gateway.send(request(bytes(envelope("client.created", 2))));
        eventually(() -> assertThat(gateway.metric("holdfast_consumer_dead_letters{consumer=\"mine\"}"))
                .isEqualTo(1));
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    @Test
    void oneScreenSaysWhatIsWrongWhatToDoAndTheFigures() {
        String screen = Verb.run(gateway, "status").done();

        assertThat(screen)
                .startsWith("\u25b2 Ready, ")
                .contains("pushes a second accepted, with 1 thing to look at.")
                .contains("warning   There is 1 dead letter, which consumers failed for good.")
                .contains(
                        "          Look at their errors, mend the cause, and retry them; or discard them with a reason.")
                .containsPattern("accepted +\\S+ a second, 1 since the start, 0 duplicates")
                .containsPattern("refused +\\S+ a second; since the start: signature 1")
                .containsPattern("dead letters +1\\R")
                .containsPattern("running +\\S+ for \\d+")
                .containsPattern("mine +running +\\d .* 1  \\S+Z seq 1: .*no such customer")
                .doesNotContain(String.valueOf(ESCAPE));
        assertThat(screen.lines()).hasSizeLessThan(24);
    }

    @Test
    void jsonIsTheOverview() {
        JsonObject overview =
                new JsonObject(Verb.run(gateway, "status", "--output", "json").done());

        assertThat(overview.getBoolean("ready")).isTrue();
        assertThat(overview.getLong("deadLetters")).isEqualTo(1);
        assertThat(overview.getJsonArray("problems")).hasSize(1);
    }

    @Test
    void aGatewayThatIsNotReadyIsAFailure(@TempDir Path apart) {
        GatewaySettings settings = new GatewaySettings().withReserve("reserve: 1000TiB");
        try (GatewayUnderTest full = GatewayUnderTest.start(settings, apart)) {
            eventually(() -> {
                Verb status = Verb.run(full, "status");
                assertThat(status.status()).isEqualTo(1);
                assertThat(status.out()).startsWith("\u25b2 Not ready, with ").contains("disk");
            });
        }
    }

    @Test
    void whatItDoesNotKnowIsUsedWronglyAndNoGatewayIsAFailure() {
        assertThat(Verb.run(gateway, "status", "now").status()).isEqualTo(2);
        assertThat(Verb.run(gateway, "status", "--output", "xml").status()).isEqualTo(2);
        Verb none = Verb.offline("status", "--management", "http://127.0.0.1:1");
        assertThat(none.status()).isEqualTo(1);
        assertThat(none.err()).contains("found no gateway at http://127.0.0.1:1");
    }

    @Test
    void watchedItIsDrawnAgainAndWaitsForAGatewayThatIsAway(@TempDir Path apart) throws Exception {
        RunningVerb watch;
        RunningVerb json;
        try (GatewayUnderTest leaving = GatewayUnderTest.start(new GatewaySettings(), apart)) {
            watch = RunningVerb.atTerminal(leaving, "status", "--watch");
            json = RunningVerb.atTerminal(leaving, "status", "--watch", "--output", "json");
            until(() -> watch.out().contains("All is well"));
            leaving.push(envelope("client.created", 1));
            until(() -> watch.out().contains(" 1 since the start"));
            until(() -> json.out().contains("\"accepted\":1,"));
        }
        until(() -> watch.out().contains("found no gateway at "));
        until(() -> json.err().contains("found no gateway at "));
        watch.interrupt();
        json.interrupt();

        assertThat(watch.out()).startsWith(ESCAPE + "[H" + ESCAPE + "[J");
        assertThat(json.out().lines()).allMatch(line -> line.startsWith("{") && line.endsWith("}"));
    }

    @Test
    void watchedItSaysSoWhenTheGatewayHangs() throws Exception {
        try (ServerSocket hanging = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String address = "http://127.0.0.1:" + hanging.getLocalPort();
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            Thread watch = new Thread(
                    () -> Verb.execute(out, out, true, List.of("status", "--watch", "--management", address)));
            watch.start();

            until(() -> out.toString(UTF_8).contains("found no answer at " + address));

            watch.interrupt();
            watch.join();
        }
    }
}
