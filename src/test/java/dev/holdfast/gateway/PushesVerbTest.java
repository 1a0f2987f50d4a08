package dev.holdfast.gateway;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.push.PermanentFailure;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code holdfast pushes} beside a gateway with five, which one consumer has and another gave up. */
@Timeout(60)
class PushesVerbTest {
    @TempDir
    static Path directory;

    private static GatewayUnderTest gateway;

    @BeforeAll
    static void start() {
        Deliveries failing = new Deliveries().behave(push -> Future.failedFuture(new PermanentFailure("no room")));
        GatewaySettings settings =
                new GatewaySettings().consumer("mine", "*", new Deliveries()).consumer("failing", "client.*", failing);
        gateway = GatewayUnderTest.start(settings, directory);
        for (int n = 1; n <= 5; n++) {
            gateway.push(envelope(n == 3 ? "client.deleted" : "conversation.closed", n));
        }
        eventually(() -> assertThat(gateway.metric("holdfast_consumer_delivered_total{consumer=\"mine\"}"))
                .isEqualTo(5));
        eventually(() -> assertThat(gateway.metric("holdfast_consumer_dead_letters{consumer=\"failing\"}"))
                .isEqualTo(1));
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    private static Verb run(String... verb) {
        return Verb.run(gateway, "pushes", verb);
    }

    @Test
    void theNewestAreListedAndHowToGoOn() {
        Verb newest = run("list", "--last", "2");
        assertThat(newest.done().lines().toList()).hasSize(3).satisfies(lines -> {
            assertThat(lines.get(0)).startsWith("SEQ").endsWith("ID");
            assertThat(lines.get(1)).startsWith("  5  ");
            assertThat(lines.get(2)).startsWith("  4  ");
        });
        String cursor = newest.err().strip().replaceAll(".*--cursor ", "");
        assertThat(run("list", "--cursor", cursor).done()).hasLineCount(4);

        JsonObject found = new JsonObject(
                run("list", "--event", "client.*", "--output", "json").done());
        assertThat(found.getJsonArray("pushes")).hasSize(1);
        assertThat(found.getJsonObject("searched").getInteger("count")).isEqualTo(5);
        assertThat(run("list", "--last", "few").status()).isEqualTo(2);
    }

    @Test
    void oneIsShownWithItsWayAndWhatToDo() {
        assertThat(run("get", "3").done())
                .containsPattern("signature +matches, Service-Signature: [0-9a-f]{40}\\R")
                .containsPattern("mine +handled: the consumer is past it, and it neither waits nor is a dead letter\\R")
                .containsPattern("failing  dead: a dead letter after \\d attempts?, the last at \\S+Z\\R +.*no room\\R")
                .contains("dead-letters retry --consumer failing --seq 3")
                .endsWith(envelope("client.deleted", 3) + System.lineSeparator());
        assertThat(run("get", "3", "--no-body").done()).doesNotContain("enterprise_token");
        assertThat(run("get", "third").status()).isEqualTo(2);
    }

    @Test
    void aReplayIsBegunFollowedAndListed() {
        Verb followed = run("replay", "--from", "1", "--to", "2", "--consumer", "mine", "--follow", "--output", "json");
        JsonObject replay = new JsonObject(followed.done());
        assertThat(replay.getString("state")).isEqualTo("done");
        assertThat(replay.getInteger("delivered")).isEqualTo(2);

        Verb failed = run("replay", "--event", "client.*", "--consumer", "failing", "--follow");
        assertThat(failed.status()).isEqualTo(1);
        assertThat(failed.out()).containsPattern("failing +done +0 +1\\R");
        assertThat(run("replay", "--status").done()).contains(replay.getString("id"));

        Verb over = run("replay", "--stop", replay.getString("id"));
        assertThat(over.status()).isEqualTo(1);
        assertThat(over.err()).contains("found no replay " + replay.getString("id") + " on its way");
        for (String rate : List.of("0", "fast")) {
            assertThat(run("replay", "--all", "--rate", rate).status()).isEqualTo(2);
        }
    }

    @Test
    void aReplayIsStopped() {
        String id = new JsonObject(run("replay", "--all", "--rate", "1", "--output", "json")
                        .done())
                .getString("id");

        assertThat(run("replay", "--stop", id).done()).isEqualToIgnoringNewLines("stopped");
        eventually(() -> assertThat(run("replay", "--status").done()).containsPattern(id + "  pushes +stopped"));
    }

    /** The command is right, and is when one has ended. */
    @Test
    void aNinthReplayIsAFailureAndNoMistake() {
        List<String> ids = new ArrayList<>();
        for (int n = 0; n < 8; n++) {
            Verb begun = run("replay", "--all", "--rate", "1", "--output", "json");
            ids.add(new JsonObject(begun.done()).getString("id"));
        }
        Verb ninth = run("replay", "--all", "--rate", "1");
        assertThat(ninth.status()).isEqualTo(1);
        assertThat(ninth.err())
                .isEqualToIgnoringNewLines(
                        "holdfast: found 8 replays and retries on their way, expected fewer:" + " stop one, or wait");
        ids.forEach(id -> run("replay", "--stop", id).done());
    }
}
