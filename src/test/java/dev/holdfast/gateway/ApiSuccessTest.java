package dev.holdfast.gateway;

import static dev.holdfast.gateway.GatewayUnderTest.bytes;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static dev.holdfast.gateway.GatewayUnderTest.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ApiDocument;
import dev.holdfast.ApiDocument.Operation;
import dev.holdfast.Eventually;
import dev.holdfast.push.PermanentFailure;
import dev.holdfast.simulator.TokenEndpoint;
import dev.holdfast.simulator.TokenScript;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every operation of the API's document is done by a gateway that has something of everything. That each answer is what the
 * document says is seen to wherever a test asks one.
 */
@Timeout(120)
final class ApiSuccessTest {
    /** Its answer has no end: it has a test of its own. */
    private static final Set<String> ENDLESS = Set.of("tap");

    private static final int PUSHES = 20;

    @TempDir
    static Path directory;

    private static final Vertx VERTX = Vertx.vertx();
    private static TokenEndpoint platform;
    private static GatewayUnderTest gateway;

    private static final Map<String, Supplier<HttpAnswer>> REQUESTS = Map.ofEntries(
            Map.entry("document", () -> get("/openapi.yaml")),
            Map.entry("overview", () -> get("/overview")),
            Map.entry("gateway", () -> get("/gateway")),
            Map.entry("endpoints", () -> get("/endpoints")),
            Map.entry("listPushes", () -> get("/pushes?limit=3")),
            Map.entry("getPush", () -> get("/pushes/1")),
            Map.entry("listConsumers", () -> get("/consumers")),
            Map.entry("getConsumer", () -> get("/consumers/mine")),
            Map.entry("pauseConsumer", () -> post("/consumers/other/pause", "{}")),
            Map.entry("resumeConsumer", () -> post("/consumers/other/resume", "{}")),
            Map.entry("listDeadLetters", () -> get("/dead-letters?limit=3")),
            Map.entry("getDeadLetter", () -> get("/dead-letters/mine/1")),
            Map.entry("retryDeadLetters", () -> post("/dead-letters/retry", "{\"seq\":2}")),
            Map.entry("discardDeadLetters", () -> post("/dead-letters/discard", "{\"seq\":3,\"reason\":\"old\"}")),
            Map.entry("listDiscards", () -> get("/discards")),
            Map.entry("listReplays", () -> get("/replays")),
            Map.entry("replay", () -> post("/replays", "{\"from\":5,\"to\":6}")),
            Map.entry("stopReplay", ApiSuccessTest::stopReplay),
            Map.entry("listQuarantine", () -> get("/quarantine?limit=1")),
            Map.entry("getQuarantined", () -> get("/quarantine/1")),
            Map.entry("verifyQuarantine", () -> post("/quarantine/verify", "{\"all\":true}")),
            Map.entry("discardQuarantine", () -> post("/quarantine/discard", "{\"id\":2,\"reason\":\"stray\"}")),
            Map.entry("ledger", () -> get("/ledger")),
            Map.entry("token", () -> get("/token")),
            Map.entry("exchange", () -> post("/token/exchange", "{\"code\":\"" + platform.issueCode() + "\"}")),
            Map.entry("audit", () -> get("/audit")));

    @BeforeAll
    static void start() {
        platform = new TokenEndpoint(
                VERTX, TokenScript.healthy("app", "the app secret"), Clock.systemUTC(), new Random(1), event -> {});
        int port = platform.listen(new HttpServerOptions().setHost("127.0.0.1").setPort(0))
                .await();
        Deliveries mine = new Deliveries();
        mine.behave(push ->
                push.seq() <= 5 ? Future.failedFuture(new PermanentFailure("not this one")) : Future.succeededFuture());
        GatewaySettings settings = new GatewaySettings()
                .consumer("mine", "*", mine)
                .consumer("other", "*", new Deliveries())
                .section("token: {base-url: \"http://127.0.0.1:" + port
                        + "\", app-id: app, app-secret: the app secret}");
        gateway = GatewayUnderTest.start(settings, directory);
        for (int i = 1; i <= PUSHES; i++) {
            gateway.push(envelope("client.created", i));
        }
        for (int i = 1; i <= 3; i++) {
            gateway.send(request(bytes(envelope("client.deleted", i)), "Service-Signature: wrong"));
        }
        Eventually.until(() -> gateway.metric("holdfast_consumer_dead_letters{consumer=\"mine\"}") == 5);
        Eventually.until(() -> get("/quarantine/3").status() == 200);
    }

    @AfterAll
    static void stop() {
        gateway.close();
        VERTX.close().await();
    }

    private static HttpAnswer get(String path) {
        return gateway.management(ApiDocument.API + path);
    }

    private static HttpAnswer post(String path, String body) {
        return gateway.manage(ApiDocument.API + path, body);
    }

    private static HttpAnswer stopReplay() {
        String id = new JsonObject(post("/replays", "{\"from\":6,\"rate\":1}").body()).getString("id");
        return post("/replays/" + id + "/stop", "{}");
    }

    static Stream<Operation> operations() {
        return ApiDocument.shipped().operations().stream()
                .filter(Operation::isFinished)
                .filter(operation -> !ENDLESS.contains(operation.id()));
    }

    @ParameterizedTest
    @MethodSource("operations")
    void isDone(Operation operation) {
        HttpAnswer answer = REQUESTS.get(operation.id()).get();

        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    }

    @Test
    void everyOperationIsTried() {
        Set<String> documented = ApiDocument.shipped().operations().stream()
                .map(Operation::id)
                .filter(id -> !ENDLESS.contains(id))
                .collect(Collectors.toSet());

        assertThat(REQUESTS.keySet()).isEqualTo(documented);
    }

    @Test
    void discardsArePagedByCursor() {
        post("/dead-letters/discard", "{\"seq\":4,\"reason\":\"first\"}");
        post("/dead-letters/discard", "{\"seq\":5,\"reason\":\"second\"}");

        JsonObject newest = new JsonObject(get("/discards?limit=1").body());
        String next = newest.getString("next");
        JsonObject before =
                new JsonObject(get("/discards?limit=1&cursor=" + next).body());

        assertThat(newest.getJsonArray("discards").getJsonObject(0).getString("reason"))
                .isEqualTo("second");
        assertThat(before.getJsonArray("discards").getJsonObject(0).getString("reason"))
                .isEqualTo("first");
        HttpAnswer another = get("/audit?cursor=" + next);
        assertThat(another.status()).isEqualTo(400);
        assertThat(another.body()).contains("expected what the page before has under next");
    }
}
