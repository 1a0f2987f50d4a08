package dev.holdfast.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ManagementPort;
import dev.holdfast.management.AuditTrail;
import dev.holdfast.management.TokenApi;
import dev.holdfast.management.TokenControl;
import dev.holdfast.store.Audit;
import dev.holdfast.store.AuditEntry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What another site's page can make an operator's browser send to the management port, and what an operator sends. */
@Timeout(60)
final class OtherSitesTest {
    private static final String TOKEN = "management-token-0123456789";
    private static final String BEARER = "Authorization: Bearer " + TOKEN + "\r\n";

    private final Vertx vertx = Vertx.vertx();
    private final AtomicInteger done = new AtomicInteger();
    private final AtomicInteger read = new AtomicInteger();
    private final TokenControl counted = new TokenControl(
            () -> Future.succeededFuture(new JsonObject().put("n", read.incrementAndGet())),
            code -> Future.succeededFuture(
                    new JsonObject().put("n", done.incrementAndGet()).put("exchanged", true)));
    private int port;

    private static final class NoAudit implements Audit {
        @Override
        public CompletionStage<Void> add(AuditEntry entry) {
            return CompletableFuture.completedStage(null);
        }

        @Override
        public List<Line> newest(long below, int max) {
            return List.of();
        }
    }

    @AfterEach
    void stop() {
        vertx.close().await();
    }

    private void manage(String host, @Nullable String token, String... hosts) {
        TokenApi api = new TokenApi(counted, new AuditTrail(new NoAudit(), Clock.systemUTC()));
        port = ManagementPort.open(vertx, host, token, List.of(hosts), api);
    }

    /** {@code PORT} in the header lines stands for the management port. */
    private HttpAnswer send(String start, String... headers) {
        StringBuilder request = new StringBuilder(start + "\r\n");
        for (String header : headers) {
            request.append(header.replace("PORT", Integer.toString(port))).append("\r\n");
        }
        try (RawConnection connection = new RawConnection(port)) {
            return connection.send(request + "\r\n").answer();
        }
    }

    private HttpAnswer get(String path, String... headers) {
        return send("GET " + path + " HTTP/1.1", headers);
    }

    private HttpAnswer post(String... headers) {
        String body = "{\"code\":\"1\"}";
        String[] all = Arrays.copyOf(headers, headers.length + 2);
        all[headers.length] = "Content-Type: application/json";
        all[headers.length + 1] = "Content-Length: " + body.length() + "\r\n\r\n" + body;
        return send("POST /api/v1/token/exchange HTTP/1.1", all);
    }

    private static String error(HttpAnswer answer) {
        assertThat(answer.header("content-type")).isEqualTo("application/problem+json");
        return new JsonObject(answer.body()).getString("detail");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost:PORT",
                "localhost",
                "LocalHost:1",
                "localhost.:PORT",
                "gateway.localhost:PORT",
                "127.0.0.1:PORT",
                "127.8.7.6",
                "[::1]:PORT",
                "[0:0:0:0:0:0:0:1]",
                "[::ffff:7f00:1]:PORT",
                "gateway.internal:PORT",
                "GATEWAY.internal.:9999",
                "10.1.2.3:PORT",
                "[FD00:0::8]:PORT",
                "[fd00::9]"
            })
    void aHostThatNobodyElseCanOwnIsServed(String host) {
        manage("127.0.0.1", null, "Gateway.Internal", "10.1.2.3", "[fd00::8]", "fd00:0:0::9");

        assertThat(get("/api/v1/token", "Host: " + host).status()).isEqualTo(200);
        assertThat(get("/metrics", "Host: " + host).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            evil.example:PORT         | 421
            evil.example              | 421
            localhost.evil.example    | 421
            notlocalhost:PORT         | 421
            127.0.0.1.evil.example    | 421
            10.0.0.1:PORT             | 421
            128.0.0.1                 | 421
            [fd00::1]:PORT            | 421
            gateway.internal          | 421
            127.1                     | 421
            2130706433                | 421
            evil.example, localhost   | 400
            localhost:PORT:1          | 400
            localhost@evil.example    | 400
            evil.example/localhost    | 400
            ::1                       | 400
            [::1                      | 400
            localhost:x               | 400
            """)
    void withoutATokenAnyOtherHostIsRefusedForTheApiAndTheMetrics(String host, int status) {
        manage("127.0.0.1", null);
        for (HttpAnswer answer : List.of(
                get("/api/v1/token", "Host: " + host), get("/metrics", "Host: " + host), post("Host: " + host))) {
            assertThat(answer.status()).isEqualTo(status);
            assertThat(error(answer))
                    .startsWith("found the Host \"" + host.replace("PORT", Integer.toString(port)) + "\", expected ");
        }
        assertThat(read.get() + done.get()).isZero();
    }

    @Test
    void theRefusalSaysWhatWasExpectedAndNamesNoneOfTheHosts() {
        manage("127.0.0.1", null, "gateway.internal");

        assertThat(error(get("/api/v1/token", "Host: evil.example")))
                .isEqualTo(
                        "found the Host \"evil.example\", expected localhost, a loopback address, management.host, the"
                                + " address that the connection came to, or one of management.hosts");
    }

    @Test
    void thereIsExactlyOneHost() {
        manage("127.0.0.1", null);

        HttpAnswer none = get("/api/v1/token");
        HttpAnswer two = get("/api/v1/token", "Host: localhost", "Host: localhost");
        HttpAnswer old = send("GET /api/v1/token HTTP/1.0");

        assertThat(List.of(none.status(), two.status(), old.status())).containsOnly(400);
        assertThat(error(none)).isEqualTo("found no Host, expected one host, with or without a port");
        assertThat(error(two)).isEqualTo("found 2 Host headers, expected one host, with or without a port");
        assertThat(get("/api/v1/token", "Host:").status()).isEqualTo(400);
        assertThat(read).hasValue(0);
    }

    @Test
    void healthIsToldToEveryProbe() {
        manage("127.0.0.1", null);

        for (String path : List.of("/livez", "/readyz")) {
            assertThat(get(path, "Host: 10.244.0.7:8081").status()).isEqualTo(200);
            assertThat(get(path, "Host: gateway").status()).isEqualTo(200);
            assertThat(send("GET " + path + " HTTP/1.0").status()).isEqualTo(200);
        }
        assertThat(get("/livez/../metrics", "Host: evil.example").status()).isEqualTo(421);
        assertThat(get("/livez%2f..%2fapi/token", "Host: evil.example").status())
                .isEqualTo(421);
        assertThat(get("//api/v1/token", "Host: evil.example").status()).isEqualTo(421);
        assertThat(read).hasValue(0);
    }

    @Test
    void theConfiguredHostAndTheAddressThatTheConnectionCameToAreServed() {
        manage("0.0.0.0", null);

        assertThat(get("/api/v1/token", "Host: 0.0.0.0:PORT").status()).isEqualTo(200);
        assertThat(get("/api/v1/token", "Host: 127.0.0.1:PORT").status()).isEqualTo(200);
        assertThat(get("/api/v1/token", "Host: 10.0.0.1:PORT").status()).isEqualTo(421);
    }

    @Test
    void withATokenTheTokenProtectsUnderAnyHostUnlessHostsAreListed() {
        manage("127.0.0.1", TOKEN);
        assertThat(get("/api/v1/token", "Host: gateway.example", BEARER.strip()).status())
                .isEqualTo(200);
        assertThat(get("/api/v1/token", "Host: evil.example").status()).isEqualTo(401);
        assertThat(get("/metrics", "Host: gateway.example").status()).isEqualTo(401);

        manage("127.0.0.1", TOKEN, "gateway.example");
        assertThat(get("/api/v1/token", "Host: gateway.example", BEARER.strip()).status())
                .isEqualTo(200);
        assertThat(get("/api/v1/token", "Host: evil.example", BEARER.strip()).status())
                .isEqualTo(421);
        assertThat(get("/metrics", "Host: evil.example").status()).isEqualTo(421);
    }

    @ParameterizedTest
    @CsvSource({
        "localhost:PORT,http://localhost:PORT",
        "127.0.0.1:PORT,http://127.0.0.1:PORT",
        "[::1]:PORT,http://[::1]:PORT",
        "LOCALHOST:PORT,HTTP://localhost:PORT",
        "localhost,http://localhost",
        "localhost,https://localhost",
        "localhost:443,https://localhost",
        "localhost:9000,http://localhost:9000",
        "127.0.0.1:PORT,https://gateway.example"
    })
    void itsOwnPageAndThatOfAListedHostMaySend(String host, String origin) {
        manage("127.0.0.1", null, "gateway.example");

        assertThat(post("Host: " + host, "Origin: " + origin).status()).isEqualTo(200);
        assertThat(done).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://evil.example",
                "http://evil.example:PORT",
                "http://localhost",
                "http://localhost:1",
                "http://localhost:3000",
                "http://127.0.0.1:PORT",
                "http://localhost.evil.example:PORT",
                "http://localhost:PORT.evil.example",
                "http://localhost:PORT@evil.example",
                "http://evil.example#@localhost:PORT",
                "http://localhost:PORT http://evil.example",
                "ftp://localhost:PORT",
                "file://",
                "localhost:PORT",
                "null",
                ""
            })
    void anOriginOfAnotherSiteIsRefusedWithAndWithoutAToken(String origin) {
        manage("127.0.0.1", null);
        for (HttpAnswer answer : List.of(
                post("Host: localhost:PORT", "Origin: " + origin),
                get("/api/v1/token", "Host: localhost:PORT", "Origin: " + origin),
                get("/metrics", "Host: localhost:PORT", "Origin: " + origin),
                send("OPTIONS /api/v1/token HTTP/1.1", "Host: localhost:PORT", "Origin: " + origin))) {
            assertThat(answer.status()).isEqualTo(403);
            assertThat(error(answer))
                    .isEqualTo(("found the Origin \"" + origin
                                    + "\", expected none, that of the Host \"localhost:PORT\", or that of one of"
                                    + " management.hosts")
                            .replace("PORT", Integer.toString(port)));
        }
        manage("127.0.0.1", TOKEN);
        assertThat(post("Host: localhost:PORT", BEARER.strip(), "Origin: " + origin)
                        .status())
                .isEqualTo(403);
        assertThat(read.get() + done.get()).isZero();
    }

    @Test
    void anOriginComesOnce() {
        manage("127.0.0.1", null);
        HttpAnswer answer =
                post("Host: localhost:PORT", "Origin: http://localhost:PORT", "Origin: http://localhost:PORT");

        assertThat(answer.status()).isEqualTo(403);
        assertThat(error(answer)).startsWith("found 2 Origin headers, expected none");
        assertThat(done).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void authorizationTwiceIsRefused(boolean withToken) {
        manage("127.0.0.1", withToken ? TOKEN : null);

        HttpAnswer answer = post("Host: localhost", BEARER + "Authorization: Bearer other");
        HttpAnswer same = post("Host: localhost", BEARER + BEARER.strip());

        assertThat(List.of(answer.status(), same.status())).containsOnly(400);
        assertThat(error(answer)).isEqualTo("found 2 Authorization headers, expected one at most");
        assertThat(done).hasValue(0);
        assertThat(post("Host: localhost", BEARER.strip()).status()).isEqualTo(200);
    }

    @Test
    void aLongHostIsShownInPart() {
        manage("127.0.0.1", null);

        assertThat(error(get("/metrics", "Host: " + "a".repeat(1000))))
                .contains("a".repeat(100) + "…")
                .hasSizeLessThan(400);
    }
}
