package dev.holdfast.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Eventually;
import dev.holdfast.Gateway;
import dev.holdfast.config.ConfigLoader;
import dev.holdfast.push.PushWatcher;
import dev.holdfast.signature.SignatureScheme;
import dev.holdfast.simulator.DrivenTokenEndpoint;
import dev.holdfast.simulator.TokenFault;
import dev.holdfast.simulator.TokenScript;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The access token in a whole gateway: receiving never depends on it. */
@Timeout(120)
class TokenGatewayTest {
    private static final String SECRET = "0123456789abcdef-strong";

    @TempDir
    Path directory;

    private final HttpClient client = HttpClient.newHttpClient();
    private final List<String> authorizations = new CopyOnWriteArrayList<>();
    private Vertx vertx;
    private DrivenTokenEndpoint platform;
    private int platformPort;
    private int apiPort;

    @BeforeEach
    void start() {
        vertx = Vertx.vertx();
        TokenScript script = new TokenScript(
                "app",
                "the app secret",
                TokenScript.LIFETIME,
                Duration.ofMinutes(10),
                false,
                Duration.ofSeconds(1),
                List.of(),
                0);
        platform = new DrivenTokenEndpoint(vertx, script, Clock.systemUTC(), new Random(1), event -> {});
        platformPort = platform.listen(
                        new HttpServerOptions().setHost("127.0.0.1").setPort(0))
                .await();
        apiPort = vertx.createHttpServer()
                .requestHandler(request -> {
                    authorizations.add(String.valueOf(request.getHeader("Authorization")));
                    request.response().end();
                })
                .listen(0, "127.0.0.1")
                .await()
                .actualPort();
    }

    @AfterEach
    void stop() {
        vertx.close().await();
    }

    @Test
    void withoutATokenEverythingElseRunsOnAndReadinessIsUntouched() throws Exception {
        Gateway gateway = gateway(1, "no such code");
        try {
            Eventually.until(() -> state(gateway).equals("exchanging"));
            Eventually.until(() -> get(gateway, "/api/v1/overview").body().contains("There is no access token yet"));

            assertThat(get(gateway, "/readyz").statusCode()).isEqualTo(200);
            assertThat(push(gateway, "{\"event\":\"conversation.created\",\"n\":1}"))
                    .isEqualTo(200);
        } finally {
            gateway.stop();
        }
    }

    @Test
    void inNeedsCodeEverythingElseRunsOnAndReadinessIsUntouched() throws Exception {
        Gateway gateway = gateway(platformPort, "no such code");
        try {
            Eventually.until(() -> state(gateway).equals("needs-code"));

            assertThat(get(gateway, "/readyz").statusCode()).isEqualTo(200);
            assertThat(get(gateway, "/readyz").body()).doesNotContain("token");
            assertThat(push(gateway, "{\"event\":\"conversation.created\",\"n\":2}"))
                    .isEqualTo(200);
            assertThat(get(gateway, "/metrics").body()).contains("holdfast_token_state{state=\"needs-code\"} 1.0");
        } finally {
            gateway.stop();
        }
    }

    @Test
    void aConsumerCallsThePlatformsApiWithTheToken() throws Exception {
        Gateway gateway = gateway(platformPort, platform.issueCode());
        try {
            push(gateway, "{\"event\":\"conversation.closed\",\"conversation\":{\"enterprise_id\":7}}");
            Eventually.until(() -> !authorizations.isEmpty());

            assertThat(authorizations.get(0)).startsWith("Bearer ");
            assertThat(platform.accepts(authorizations.get(0).substring(7))).isTrue();
        } finally {
            gateway.stop();
        }
    }

    @Test
    void aTokenIsKeptAcrossRestartsOfTheGateway() throws Exception {
        String code = platform.issueCode();
        Gateway first = gateway(platformPort, code);
        Eventually.until(() -> state(first).equals("valid"));
        first.stop();
        theNextOneHasItsToken(code);
    }

    @Test
    void aStopWaitsForTheTokenOfACodeLongerThanForRequestsUnderWay() throws Exception {
        String code = platform.issueCode();
        platform.order(TokenFault.SLOW);
        Gateway first = gateway(platformPort, code);
        Eventually.until(() -> platform.requests() == 1);
        first.stop();
        theNextOneHasItsToken(code);
    }

    private void theNextOneHasItsToken(String code) throws IOException {
        Gateway next = gateway(platformPort, code);
        try {
            Eventually.until(() -> state(next).equals("valid"));

            assertThat(platform.requests()).isEqualTo(1);
        } finally {
            next.stop();
        }
    }

    private Gateway gateway(int tokenPort, String code) throws IOException {
        Path file = Files.writeString(directory.resolve("holdfast.yaml"), """
                receiver:
                  host: 127.0.0.1
                  port: 0
                  endpoints: [{name: default, path: /webhook, secrets: ["${SECRET}"]}]
                  drain-delay: 0s
                  drain-timeout: 100ms
                journal: {directory: "${DIRECTORY}/data", reserve: 1KiB}
                plugins: ${DIRECTORY}/plugins
                consumers:
                  - name: notes
                    events: ["conversation.*"]
                    verticle: dev.holdfast.example.NotingConsumer
                    options: {url: "http://127.0.0.1:${API}/notes"}
                token:
                  base-url: http://127.0.0.1:${TOKENS}
                  app-id: app
                  app-secret: the app secret
                  code: ${CODE}
                management: {port: 0}
                """);
        Map<String, String> environment = Map.of(
                "SECRET", SECRET,
                "DIRECTORY", directory.toString(),
                "API", Integer.toString(apiPort),
                "TOKENS", Integer.toString(tokenPort),
                "CODE", code);
        return Gateway.start(ConfigLoader.read(file, environment).config(), PushWatcher.NONE, stop -> {});
    }

    private String state(Gateway gateway) {
        try {
            return new JsonObject(get(gateway, "/api/v1/token").body()).getString("state");
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private HttpResponse<String> get(Gateway gateway, String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + gateway.managementPort() + path);
        return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }

    private int push(Gateway gateway, String body) throws IOException, InterruptedException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + gateway.port() + "/webhook"))
                .header("Service-Signature", SignatureScheme.sign(bytes, SECRET.getBytes(StandardCharsets.UTF_8)))
                .POST(BodyPublishers.ofByteArray(bytes))
                .build();
        return client.send(request, BodyHandlers.discarding()).statusCode();
    }
}
