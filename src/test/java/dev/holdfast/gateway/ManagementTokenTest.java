package dev.holdfast.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ApiDocument;
import dev.holdfast.ApiDocument.Operation;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who gets in with which token, and how fast others are told that they don't. */
@Timeout(60)
final class ManagementTokenTest {
    private static final String TOKEN = "0123456789abcdef0123456789abcdef";

    @TempDir
    private Path directory;

    private @Nullable GatewayUnderTest gateway;

    @AfterEach
    void stop() {
        if (gateway != null) {
            gateway.close();
        }
    }

    private void start(String... lines) {
        GatewaySettings settings = new GatewaySettings();
        for (String line : lines) {
            settings.management(line);
        }
        gateway = GatewayUnderTest.start(settings, directory);
    }

    private RawConnection connect(int address) {
        return new RawConnection(gateway.gateway().managementPort(), "127.0.0." + address);
    }

    private static String request(String method, String path, @Nullable String token) {
        return method + " " + path
                + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n"
                + (token == null ? "" : "Authorization: Bearer " + token + "\r\n") + "\r\n{}";
    }

    private HttpAnswer get(String path, @Nullable String token) {
        try (RawConnection connection = connect(1)) {
            return connection.send(request("GET", path, token)).answer();
        }
    }

    private int status(String path, @Nullable String token) {
        return get(path, token).status();
    }

    private static String path(Operation operation) {
        return ApiDocument.API + operation.path().replaceAll("\\{\\w+}", "1");
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "123456789abcdef0123456789abcdef", TOKEN + "0"})
    void noOperationAnswersWithoutTheTokenOrWithAnotherOne(@Nullable String token) {
        start("token: " + TOKEN);
        // All at once, since each answer comes late.
        Map<Operation, RawConnection> asking = new LinkedHashMap<>();
        for (Operation operation : ApiDocument.shipped().operations()) {
            asking.put(operation, connect(1).send(request(operation.method(), path(operation), token)));
        }
        asking.forEach((operation, connection) -> {
            HttpAnswer answer = connection.answer();
            connection.close();

            assertThat(answer.status()).as(operation.toString()).isEqualTo(401);
            assertThat(answer.header("www-authenticate")).isEqualTo("Bearer");
            ApiDocument.shipped()
                    .check(operation.method(), path(operation), 401, answer.header("content-type"), answer.body());
        });
    }

    @ParameterizedTest
    @CsvSource({"'[health]', 200, 401", "'[health, metrics]', 200, 200", "'[metrics]', 401, 200", "'[]', 401, 401"})
    void probesAndScrapersComeWithoutTheTokenWhereThatIsConfigured(String parts, int health, int metrics) {
        start("token: " + TOKEN, "public: " + parts);

        assertThat(status("/livez", null)).isEqualTo(health);
        assertThat(status("/readyz", null)).isEqualTo(health);
        assertThat(status("/metrics", null)).isEqualTo(metrics);
        assertThat(List.of(status("/livez", TOKEN), status("/readyz", TOKEN), status("/metrics", TOKEN)))
                .containsOnly(200);
    }

    @Test
    void withoutATokenAllIsOpenOnThisMachine() {
        start("public: []");

        assertThat(List.of(
                        status("/livez", null),
                        status("/readyz", null),
                        status("/metrics", null),
                        status("/api/v1/gateway", null)))
                .containsOnly(200);
    }

    @Test
    void aWrongTokenIsSlowedAndARightOneNever() {
        start("token: " + TOKEN);
        try (RawConnection guesser = connect(1)) {
            long start = System.nanoTime();
            guesser.send(request("GET", "/api/v1/audit", "wrong"));
            // From the same address, while the other one waits.
            assertThat(status("/api/v1/audit", TOKEN)).isEqualTo(200);
            assertThat(status("/api/v1/audit", null)).isEqualTo(401);
            assertThat(guesser.answer().status()).isEqualTo(401);
            assertThat(System.nanoTime() - start).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(900));
        }
    }

    @Test
    void noMoreThanSoManyAnswersWait() {
        start("token: " + TOKEN);
        List<RawConnection> guessers = new ArrayList<>();
        try {
            for (int i = 0; i < 100; i++) {
                guessers.add(connect(1).send(request("GET", "/api/v1/audit", "wrong")));
            }
            List<HttpAnswer> answers =
                    guessers.stream().map(RawConnection::answer).toList();

            assertThat(answers)
                    .extracting(HttpAnswer::status)
                    .contains(401, 429)
                    .containsOnly(401, 429);
            assertThat(answers).filteredOn(answer -> answer.status() == 429).allSatisfy(answer -> {
                assertThat(new JsonObject(answer.body()).getString("detail"))
                        .isEqualTo("found too many wrong tokens at once, expected fewer");
                assertThat(answer.header("connection")).isEqualTo("close");
            });
            assertThat(status("/api/v1/audit", "wrong"))
                    .as("when none waits any more")
                    .isEqualTo(401);
        } finally {
            guessers.forEach(RawConnection::close);
        }
    }

    @Test
    void theAuditCallsThemByTheTokensName() {
        start("token: " + TOKEN, "token-name: night-shift");
        String body = "{\"all\":true,\"reason\":\"none are ours\"}";
        try (RawConnection connection = connect(7)) {
            connection.send("POST /api/v1/quarantine/discard HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
                    + TOKEN + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n"
                    + body);
            assertThat(connection.answer().status()).isEqualTo(200);
        }
        dev.holdfast.Eventually.until(() -> get("/api/v1/audit", TOKEN)
                .body()
                .contains("\"who\":\"night-shift\",\"from\":\"127.0.0.7\",\"action\":\"quarantine.discard\""));
    }
}
