package dev.holdfast.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ApiDocument;
import dev.holdfast.ApiDocument.Operation;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    private HttpAnswer ask(int address, String method, String path, @Nullable String token) {
        try (RawConnection connection = connect(address)) {
            return connection.send(request(method, path, token)).answer();
        }
    }

    private int get(String path, @Nullable String token) {
        return ask(1, "GET", path, token).status();
    }

    @Test
    void noOperationAnswersWithoutTheTokenOrWithAnotherOne() {
        start("token: " + TOKEN);
        int address = 10;
        for (Operation operation : ApiDocument.shipped().operations()) {
            String path = ApiDocument.API + operation.path().replaceAll("\\{\\w+}", "1");
            // Wrong ones come from many addresses, none of which is slowed.
            address++;
            for (String token : new String[] {null, "", TOKEN.substring(1), TOKEN + "0"}) {
                HttpAnswer answer = ask(address, operation.method(), path, token);

                assertThat(answer.status()).as(operation + " with " + token).isEqualTo(401);
                assertThat(answer.header("www-authenticate")).isEqualTo("Bearer");
                ApiDocument.shipped()
                        .check(operation.method(), path, 401, answer.header("content-type"), answer.body());
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"'[health]', 200, 401", "'[health, metrics]', 200, 200", "'[metrics]', 401, 200", "'[]', 401, 401"})
    void probesAndScrapersComeWithoutTheTokenWhereThatIsConfigured(String parts, int health, int metrics) {
        start("token: " + TOKEN, "public: " + parts);

        assertThat(get("/livez", null)).isEqualTo(health);
        assertThat(get("/readyz", null)).isEqualTo(health);
        assertThat(get("/metrics", null)).isEqualTo(metrics);
        assertThat(List.of(get("/livez", TOKEN), get("/readyz", TOKEN), get("/metrics", TOKEN)))
                .containsOnly(200);
    }

    @Test
    void withoutATokenAllIsOpenOnThisMachine() {
        start("public: []");

        assertThat(List.of(
                        get("/livez", null), get("/readyz", null), get("/metrics", null), get("/api/v1/gateway", null)))
                .containsOnly(200);
    }

    @Test
    void aWrongTokenIsSlowedAndARightOneNever() {
        start("token: " + TOKEN);
        for (int i = 1; i < 5; i++) {
            assertThat(get("/api/v1/audit", "wrong" + i)).isEqualTo(401);
        }
        try (RawConnection guesser = connect(1)) {
            long start = System.nanoTime();
            guesser.send(request("GET", "/api/v1/audit", "wrong"));
            // From the same address, while the other one waits.
            assertThat(get("/api/v1/audit", TOKEN)).isEqualTo(200);
            assertThat(get("/api/v1/audit", null)).isEqualTo(401);
            assertThat(ask(2, "GET", "/api/v1/audit", "wrong").status()).isEqualTo(401);
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
            assertThat(answers)
                    .filteredOn(answer -> answer.status() == 429)
                    .allSatisfy(answer -> assertThat(new JsonObject(answer.body()).getString("detail"))
                            .isEqualTo("found too many wrong tokens at once, expected fewer"));
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
        dev.holdfast.Eventually.until(() -> ask(1, "GET", "/api/v1/audit", TOKEN)
                .body()
                .contains("\"who\":\"night-shift\",\"from\":\"127.0.0.7\",\"action\":\"quarantine.discard\""));
    }
}
