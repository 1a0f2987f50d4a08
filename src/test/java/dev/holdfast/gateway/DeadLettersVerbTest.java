package dev.holdfast.gateway;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.push.PermanentFailure;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code holdfast dead-letters} beside a gateway that gets some, each test of an event of its own. */
@Timeout(60)
class DeadLettersVerbTest {
    private static final Throwable NO_CUSTOMER = new PermanentFailure("no such customer");
    /** Why pushes fail, by their event, where it is not that. */
    private static final Map<String, Throwable> FAILURES = new ConcurrentHashMap<>();

    @TempDir
    static Path directory;

    private static GatewayUnderTest gateway;

    @BeforeAll
    static void start() {
        Deliveries deliveries = new Deliveries()
                .behave(push -> push.event().endsWith(".me")
                        ? Future.failedFuture(FAILURES.getOrDefault(push.event(), NO_CUSTOMER))
                        : Future.succeededFuture());
        gateway = GatewayUnderTest.start(new GatewaySettings().consumer("mine", "*", deliveries), directory);
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    private static Verb run(String... verb) {
        return Verb.run(gateway, "dead-letters", verb);
    }

    private static JsonObject json(String... verb) {
        return new JsonObject(run(verb).done());
    }

    /** The position of the last of so many. Some succeed in between: a consumer that fails everything is slowed. */
    private static long fail(String event, int count) {
        for (int n = 0; n < count; n++) {
            gateway.push(envelope("not." + event + ".at-all", n));
            gateway.push(envelope(event, n));
        }
        eventually(() -> assertThat(
                        json("list", "--event", event, "--output", "json").getJsonArray("deadLetters"))
                .hasSize(count));
        return json("list", "--event", event, "--last", "1", "--output", "json")
                .getJsonArray("deadLetters")
                .getJsonObject(0)
                .getLong("seq");
    }

    @Test
    void theNewestAreListedAndHowToGoOn() {
        long last = fail("list.me", 3);

        Verb newest = run("list", "--event", "list.me", "--last", "2");
        assertThat(newest.done().lines().toList()).hasSize(3).satisfies(lines -> {
            assertThat(lines.get(0)).startsWith("CONSUMER").endsWith("ERROR");
            assertThat(lines.get(1)).matches("mine +" + last + "  list\\.me +1  \\S+Z  .*no such customer");
        });
        assertThat(newest.err()).contains("more: --last with a larger number, or --cursor ");
        String cursor = newest.err().strip().replaceAll(".*--cursor ", "");
        assertThat(run("list", "--event", "list.me", "--cursor", cursor).done()).hasLineCount(2);
        Verb none = run("list", "--event", "nothing.here");
        assertThat(none.done()).isEmpty();
        assertThat(none.err()).isEqualToIgnoringNewLines("none");
    }

    @Test
    void oneIsShownWithItsFailuresAndItsBody() {
        String seq = Long.toString(fail("get.me", 1));

        assertThat(run("get", "mine", seq).done())
                .containsPattern("consumer +mine\\R")
                .containsPattern("event +get\\.me\\R")
                .containsPattern("attempts +1\\R")
                .containsPattern("first +\\S+Z .*no such customer\\R")
                .endsWith(envelope("get.me", 0) + System.lineSeparator());
        String body = json("get", "mine", seq, "--output", "json").getString("body");
        assertThat(new String(Base64.getDecoder().decode(body), StandardCharsets.UTF_8))
                .isEqualTo(envelope("get.me", 0));
        assertThat(run("get", "mine", "999999").status()).isEqualTo(1);
        assertThat(run("get", "mine", "first").status()).isEqualTo(2);
        assertThat(run("get", "mine").status()).isEqualTo(2);
    }

    @Test
    void someAreDiscardedForAReasonThatIsListed() {
        String last = Long.toString(fail("discard.me", 3));

        assertThat(run("discard", "--event", "discard.me", "--reason", "old", "--dry-run")
                        .done())
                .isEqualToIgnoringNewLines("3 would be discarded");
        assertThat(run("discard", "--seq", last, "--reason", "too old").done())
                .isEqualToIgnoringNewLines("1 is discarded");
        assertThat(json("discard", "--event", "discard.me", "--reason", "old", "--output", "json"))
                .isEqualTo(new JsonObject("{\"discarded\":2}"));

        assertThat(run("discarded").done()).containsPattern("\\S+Z  mine +" + last + "  discard\\.me +too old");
        assertThat(json("discarded", "--last", "1", "--output", "json").getJsonArray("discards"))
                .hasSize(1);
        assertThat(run("discarded", "--last", "0").status()).isEqualTo(2);
        assertThat(run("discard", "--event", "discard.me").status()).isEqualTo(2);
        assertThat(run("discard", "--reason", "old").err())
                .contains("found nothing that says which, expected --consumer", "or --all");
    }

    @Test
    void whoFollowsARetryHearsThatItFailedAgain() {
        fail("retry.me", 2);

        assertThat(run("retry", "--event", "retry.me", "--dry-run").done()).startsWith("2 would be retried");
        Verb followed = run("retry", "--event", "retry.me", "--follow");
        assertThat(followed.status()).isEqualTo(1);
        assertThat(followed.out()).startsWith("2 are retried: ").contains("0 delivered, 2 failed again");
        assertThat(json("retry", "--event", "retry.me", "--dry-run", "--output", "json")
                        .getInteger("retrying"))
                .isEqualTo(2);
    }

    @Test
    void whoFollowsARetryHearsThatItWasStopped() {
        fail("stop.me", 1);
        FAILURES.put("stop.me", new IllegalStateException("not now"));

        CompletableFuture<Verb> followed =
                CompletableFuture.supplyAsync(() -> run("retry", "--event", "stop.me", "--follow"));
        eventually(() -> assertThat(newestReplay().getString("state")).isEqualTo("running"));
        Verb.run(gateway, "pushes", "replay", "--stop", newestReplay().getString("id"))
                .done();

        assertThat(followed.join().status()).isEqualTo(1);
        assertThat(followed.join().out()).contains("0 delivered, 0 failed again, then it was stopped");
    }

    private static JsonObject newestReplay() {
        Verb status = Verb.run(gateway, "pushes", "replay", "--status", "--output", "json");
        JsonArray replays = new JsonObject(status.done()).getJsonArray("replays");
        return replays.isEmpty() ? new JsonObject() : replays.getJsonObject(0);
    }
}
