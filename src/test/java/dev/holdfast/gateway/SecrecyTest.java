package dev.holdfast.gateway;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.gateway.GatewayUnderTest.bytes;
import static dev.holdfast.gateway.GatewayUnderTest.requestTo;
import static dev.holdfast.gateway.GatewayUnderTest.sign;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LogLines;
import dev.holdfast.journal.BrokenJournal;
import dev.holdfast.simulator.DrivenTokenEndpoint;
import dev.holdfast.simulator.TokenScript;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Contract C4 over a gateway's whole life, with everything logged that can be logged. */
@Timeout(60)
class SecrecyTest {
    private static final String FIRST_SECRET = "canary-secret-one-0123456789";
    private static final String SECOND_SECRET = "canary-secret-two-0123456789";
    private static final String TOKEN = "canary-enterprise-token";
    private static final String CONTENT = "canary-business-data";
    private static final String QUERY = "canary-query";
    private static final String AUTHORIZATION = "canary-authorization";
    private static final String APP_SECRET = "canary-application-secret";
    private static final String REFUSED_SIGNATURE = sign(bytes(body("client.created", 2)), "another");
    private static final List<String> HIDDEN =
            List.of(FIRST_SECRET, SECOND_SECRET, TOKEN, CONTENT, QUERY, AUTHORIZATION, APP_SECRET, REFUSED_SIGNATURE);

    @TempDir
    Path directory;

    private final HeldStorage<BrokenJournal> storage = HeldStorage.broken();
    private final Deliveries deliveries = new Deliveries();
    private final AtomicInteger failures = new AtomicInteger();
    private final List<String> shown = new ArrayList<>();

    private GatewaySettings settings(String... secrets) {
        return new GatewaySettings()
                .receiver("max-body: 64KiB")
                .endpoint("default", "/webhook", "Service-Signature", secrets)
                .consumer("clients", "client.*", "dev.holdfast.consumer.ClientConsumer", deliveries)
                .consumer("logs", "*", "log", deliveries)
                .consumer("everything", "*, push.unreadable", deliveries);
    }

    private static String body(String event, int n) {
        return "{\"id\":\"sub_" + TOKEN + "_17\",\"event\":\"" + event + "\",\"enterprise_token\":\"" + TOKEN
                + "\",\"client\":{\"name\":\"" + CONTENT + "\",\"n\":" + n + "}}";
    }

    private int send(GatewayUnderTest gateway, String body, String secret) {
        HttpAnswer answer = gateway.send(requestTo(
                "/webhook?key=" + QUERY,
                bytes(body),
                "Service-Signature: " + sign(bytes(body), secret),
                "Authorization: Bearer " + AUTHORIZATION));
        shown.add(answer.toString());
        return answer.status();
    }

    private void live() {
        deliveries.behave(push -> failures.getAndIncrement() < 3
                ? Future.failedFuture(new IllegalStateException("can't keep " + CONTENT + " of " + TOKEN))
                : Future.succeededFuture());
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings(FIRST_SECRET), directory, storage)) {
            assertThat(send(gateway, body("client.created", 1), FIRST_SECRET)).isEqualTo(200);
            assertThat(send(gateway, body("client.created", 1), FIRST_SECRET)).isEqualTo(200);
            assertThat(send(gateway, body("client.created", 2), "another")).isEqualTo(401);
            assertThat(send(gateway, body("client.created", 3) + "broken", FIRST_SECRET))
                    .isEqualTo(200);
            assertThat(send(gateway, body("client.created", 4) + " ".repeat(70_000), FIRST_SECRET))
                    .isEqualTo(413);
            gateway.reconfigure(settings(FIRST_SECRET, SECOND_SECRET), directory);
            assertThat(send(gateway, body("conversation.created", 5), SECOND_SECRET))
                    .isEqualTo(200);
            storage.journal().breakWrites();
            assertThat(send(gateway, body("client.created", 6), FIRST_SECRET)).isEqualTo(503);
            storage.journal().mend();
            eventually(() -> assertThat(send(gateway, body("client.created", 7), FIRST_SECRET))
                    .isEqualTo(200));
            eventually(() -> assertThat(deliveries.handled()).hasSize(4));
            try (RawConnection operator = new RawConnection(gateway.gateway().managementPort())) {
                operator.send(bytes("GET /api/v1/pushes?n=" + QUERY
                        + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + AUTHORIZATION + "\r\n\r\n"));
                assertThat(operator.answer().status()).isEqualTo(400);
            }
            shown.add(gateway.management("/metrics").body());
            shown.add(gateway.management("/readyz").body());
        }
    }

    /** With an access token: its exchange and renewal carry the secrets in the query. */
    private Set<String> exchanged() {
        Vertx vertx = Vertx.vertx();
        try {
            DrivenTokenEndpoint platform = new DrivenTokenEndpoint(
                    vertx, TokenScript.healthy("app", APP_SECRET), Clock.systemUTC(), new Random(1), event -> {});
            int port = platform.listen(
                            new HttpServerOptions().setHost("127.0.0.1").setPort(0))
                    .await();
            String code = platform.issueCode();
            GatewaySettings settings = settings(FIRST_SECRET)
                    .section("token: {base-url: \"http://127.0.0.1:" + port + "\", app-id: app, app-secret: \""
                            + APP_SECRET + "\", code: \"" + code + "\"}");
            try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
                eventually(() ->
                        assertThat(gateway.management("/api/v1/token").body()).contains("\"valid\""));
            }
            Set<String> secrets = new HashSet<>(platform.secrets());
            secrets.add(code);
            return secrets;
        } finally {
            vertx.close().await();
        }
    }

    @Test
    void noSecretTokenOrBusinessDataIsEverShown() {
        Set<String> hidden = new HashSet<>(HIDDEN);
        try (LogLines log = LogLines.atTrace()) {
            live();
            hidden.addAll(exchanged());
            shown.addAll(log.lines());
        }

        assertThat(shown).hasSizeGreaterThan(30);
        for (String one : hidden) {
            assertThat(shown).as(one).noneMatch(line -> line.contains(one));
        }
    }
}
