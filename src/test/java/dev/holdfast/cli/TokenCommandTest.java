package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.Eventually;
import dev.holdfast.ManagementPort;
import dev.holdfast.config.DeadLettersConfig;
import dev.holdfast.management.AuditTrail;
import dev.holdfast.management.TokenApi;
import dev.holdfast.management.TokenControl;
import dev.holdfast.store.AuditEntry;
import dev.holdfast.store.RocksStore;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The token verbs, and the management API that they use. */
@Timeout(60)
class TokenCommandTest {
    private static final String CODE = "c4nary+code &%";
    private static final String TOKEN = "the-management-token";

    private static final List<String> CODES = new CopyOnWriteArrayList<>();
    private static final JsonObject VALID = new JsonObject()
            .put("state", "valid")
            .put("scope", "all")
            .put("expiresAt", "2026-03-01T14:00:00Z")
            .put("expiresInSeconds", 7000);

    @TempDir
    private static Path directory;

    private static JsonObject status = VALID;
    private static Vertx vertx;
    private static RocksStore store;
    private static String url;

    @BeforeAll
    static void start() {
        vertx = Vertx.vertx();
        store = RocksStore.open(directory, new SimpleMeterRegistry(), new DeadLettersConfig(1, Duration.ofDays(1)));
        url = manage(new TokenControl(() -> Future.succeededFuture(status), TokenCommandTest::exchange));
    }

    @AfterAll
    static void stop() {
        vertx.close().await();
        store.close();
    }

    @BeforeEach
    void isValid() {
        CODES.clear();
        status = VALID;
    }

    @Test
    void statusShowsStateScopeAndExpiry() {
        CommandLineRun run = run("status");

        assertThat(run.status()).isZero();
        assertThat(run.out())
                .contains(
                        "state           valid",
                        "scope           all",
                        "expires         2026-03-01T14:00:00Z, in 7000 s");
    }

    @Test
    void statusEndsWith1WithoutAGoodToken() {
        status = new JsonObject()
                .put("state", "needs-code")
                .put(
                        "lastFailure",
                        new JsonObject()
                                .put("during", "renewal")
                                .put("at", "2026-03-01T14:00:00Z")
                                .put("message", "timed-out"));
        CommandLineRun run = run("status");

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.out())
                .contains("state           needs-code", "last failure    renewal at 2026-03-01T14:00:00Z: timed-out");
    }

    @Test
    void whatThePlatformSaysBreaksNoLine() {
        status = VALID.copy().put("scope", "all\n\u001b[2J");

        assertThat(run("status").out())
                .contains("scope           all \\u001b[2J")
                .doesNotContain("\u001b");
    }

    @Test
    void statusAsJsonIsTheApisAnswer() throws IOException {
        JsonNode json =
                new ObjectMapper().readTree(run("status", "--output", "json").out());

        assertThat(json).isEqualTo(new ObjectMapper().readTree(status.encode()));
    }

    @Test
    void exchangeHandsTheCodeOverAndNeverShowsIt() {
        CommandLineRun run = run("exchange", "--code", CODE);

        assertThat(run.status()).isZero();
        assertThat(CODES).containsExactly(CODE);
        assertThat(run.out() + run.err()).doesNotContain("c4nary");
        Eventually.until(() -> !store.audit().newest(Long.MAX_VALUE, 1).isEmpty());
        assertThat(store.audit().newest(Long.MAX_VALUE, 1))
                .singleElement()
                .satisfies(line -> assertThat(line.entry())
                        .extracting(AuditEntry::who, AuditEntry::from, AuditEntry::action)
                        .containsExactly("token", "127.0.0.1", "token.exchange"));
    }

    @Test
    void exchangeTakesTheCodeFromTheEnvironment() {
        CommandLineRun run = CommandLineRun.of(
                "",
                Map.of("MY_CODE", CODE, "HOLDFAST_MANAGEMENT_TOKEN", TOKEN),
                "token",
                "exchange",
                "--management",
                url,
                "--code-env",
                "MY_CODE");

        assertThat(run.status()).isZero();
        assertThat(CODES).containsExactly(CODE);
    }

    @Test
    void exchangeEndsWith1WhenThePlatformRefuses() {
        status = status.copy().put("failure", "rejected, service code 7");
        CommandLineRun run = run("exchange", "--code", CODE);

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.out()).contains("not exchanged   rejected, service code 7");
    }

    @ParameterizedTest
    @CsvSource({
        "'exchange', 'Missing required argument'",
        "'exchange --code x --code-env Y', 'mutually exclusive'",
        "'exchange --code-env NOT_SET', 'found nothing in the environment variable NOT_SET, expected the code'",
        "'status --management nonsense', '--management: found no URL'"
    })
    void aBadOptionIsAUsageError(String line, String message) {
        List<String> arguments = new ArrayList<>(List.of("token"));
        arguments.addAll(List.of(line.split(" ")));
        CommandLineRun run = CommandLineRun.of(arguments.toArray(String[]::new));

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains(message);
    }

    @Test
    void aUsageErrorDoesNotShowTheCode() {
        assertThat(CommandLineRun.of("token", "exchange", "--code", "-c4nary").err())
                .doesNotContain("c4nary");
        assertThat(CommandLineRun.of("token", "exchange", "--code", "a", "c4nary")
                        .err())
                .doesNotContain("c4nary");
        assertThat(CommandLineRun.of("token", "exchange", "--code=c4nary", "--code-env", "x")
                        .err())
                .doesNotContain("c4nary");
    }

    @Test
    void withoutItsTokenTheManagementPortSaysWhatItExpects() {
        CommandLineRun run = CommandLineRun.of("token", "status", "--management", url);

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains("expects its management token");
        assertThat(CommandLineRun.of("token", "status", "--management", url, "--token", "wr0ng")
                        .err())
                .contains("refuses this token", "expects its management token")
                .doesNotContain("wr0ng");
    }

    @Test
    void aTokenThatNoHeaderCanHoldIsNamedAndNotShown() {
        for (String token : List.of("wr0ng\r", " wr0ng", "wr0ng\u00e4", " ")) {
            CommandLineRun run = CommandLineRun.of("token", "status", "--management", url, "--token", token);

            assertThat(run.status()).isEqualTo(2);
            assertThat(run.err())
                    .contains("--token: found a token that is not shown, expected visible ASCII")
                    .doesNotContain("wr0ng");
        }
    }

    @Test
    void withoutAGatewayItSaysWhereItLooked() {
        CommandLineRun run = CommandLineRun.of("token", "status", "--management", "http://127.0.0.1:1");

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains("found no gateway at http://127.0.0.1:1");
    }

    @Test
    void withoutATokenSectionItSaysSo() {
        CommandLineRun run = CommandLineRun.of("token", "status", "--management", manage(null), "--token", TOKEN);

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains("the configuration has no token section");
        assertThat(run.out()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"Basic " + TOKEN + ", 401", "Bearer " + TOKEN + "x, 401", "bearer " + TOKEN + ", 200"})
    void theApiAsksForTheManagementTokenAsABearerToken(String authorization, int status) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/api/v1/token"))
                .header("Authorization", authorization)
                .build();

        HttpResponse<Void> answer = HttpClient.newHttpClient().send(request, BodyHandlers.discarding());

        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(answer.headers().allValues("WWW-Authenticate"))
                .isEqualTo(status == 401 ? List.of("Bearer") : List.of());
    }

    @Test
    void theApiTakesNoCodeFromAnotherSitesPage() throws Exception {
        assertThat(post("text/plain", "{\"code\":\"c4nary\"}").statusCode()).isEqualTo(400);
        assertThat(CODES).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"{\"code\":7}", "{\"kode\":\"c4nary\"}", "[]", "c4nary", "{\"code\":\"\"}", "{\"code\":\"c4nary"})
    void theApiSaysWhatItExpectsAndNotWhatItFound(String body) throws Exception {
        HttpResponse<String> answer = post("application/json", body);

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("expected").doesNotContain("c4nary");
    }

    private static Future<JsonObject> exchange(String code) {
        CODES.add(code);
        return Future.succeededFuture(status.copy().put("exchanged", !status.containsKey("failure")));
    }

    private static String manage(@Nullable TokenControl control) {
        TokenApi api = new TokenApi(control, new AuditTrail(store.audit(), Clock.systemUTC()));
        return "http://127.0.0.1:" + ManagementPort.open(vertx, TOKEN, api);
    }

    private static CommandLineRun run(String... arguments) {
        List<String> all = new ArrayList<>(List.of("token"));
        all.addAll(List.of(arguments));
        all.addAll(List.of("--management", url + "/", "--token", TOKEN));
        return CommandLineRun.of(all.toArray(String[]::new));
    }

    private static HttpResponse<String> post(String type, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/api/v1/token/exchange"))
                .header("Authorization", "Bearer " + TOKEN)
                .header("Content-Type", type)
                .POST(BodyPublishers.ofString(body))
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    }
}
