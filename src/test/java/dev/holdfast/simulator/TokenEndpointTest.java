package dev.holdfast.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.SetClock;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.StringJoiner;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class TokenEndpointTest {
    private final HttpClient client = HttpClient.newHttpClient();
    private final SetClock clock = new SetClock(Instant.ofEpochSecond(1_800_000_000));
    private final List<TokenEvent> events = new CopyOnWriteArrayList<>();
    private Vertx vertx;
    private DrivenTokenEndpoint endpoint;
    private int port;

    @BeforeEach
    void start() {
        vertx = Vertx.vertx();
        play(TokenScript.healthy("app", "s & t"));
    }

    @AfterEach
    void stop() {
        vertx.close().await();
    }

    @Test
    void aCodeIsGoodOnce() throws Exception {
        String code = endpoint.issueCode();

        JsonNode data = ask(exchange(code), 0).path("data");
        assertThat(data.path("access_token").isTextual()).isTrue();
        assertThat(data.path("refresh_token").isTextual()).isTrue();
        assertThat(data.path("expires_in").longValue()).isEqualTo(7200);
        assertThat(data.path("scope").isTextual()).isTrue();
        ask(exchange(code), 40102);
    }

    @Test
    void theApplicationAndItsSecretAreChecked() throws Exception {
        ask(
                List.of(
                        "appId",
                        "app",
                        "appSecret",
                        "wrong",
                        "code",
                        endpoint.issueCode(),
                        "grantType",
                        "authorization_code"),
                40101);
        ask(
                List.of(
                        "appId",
                        "x",
                        "appSecret",
                        "s & t",
                        "code",
                        endpoint.issueCode(),
                        "grantType",
                        "authorization_code"),
                40101);
    }

    @ParameterizedTest
    @ValueSource(strings = {"appId", "appSecret", "code", "grantType"})
    void everyParameterIsRequiredExactlyOnce(String name) throws Exception {
        List<String> without = new ArrayList<>(exchange(endpoint.issueCode()));
        int at = without.indexOf(name);
        String value = without.get(at + 1);
        List<String> doubled = new ArrayList<>(without);
        doubled.addAll(List.of(name, value));
        without.subList(at, at + 2).clear();

        ask(without, 40001);
        ask(doubled, 40001);
    }

    @Test
    void anUnknownGrantTypeIsRefused() throws Exception {
        ask(List.of("appId", "app", "appSecret", "s & t", "code", "x", "grantType", "password"), 40002);
    }

    @Test
    void aCodeExpires() throws Exception {
        String code = endpoint.issueCode();
        clock.advance(Duration.ofMinutes(10));

        ask(exchange(code), 40103);
    }

    @Test
    void anAccessTokenExpiresAfterItsLifetime() throws Exception {
        String token =
                ask(exchange(endpoint.issueCode()), 0).at("/data/access_token").textValue();
        assertThat(endpoint.accepts(token)).isTrue();
        clock.advance(Duration.ofHours(2));

        assertThat(endpoint.accepts(token)).isFalse();
        assertThat(endpoint.accepts("another")).isFalse();
    }

    @Test
    void refreshTokensRotateAndTheOldOneIsGoodUntilTheNewOneIsUsed() throws Exception {
        String first = refreshToken(ask(exchange(endpoint.issueCode()), 0));
        String lost = refreshToken(ask(renewal(first), 0));
        String second = refreshToken(ask(renewal(first), 0));
        ask(renewal(lost), 40104);
        ask(renewal(second), 0);

        ask(renewal(first), 40104);
        ask(renewal(second), 0);
    }

    @Test
    void strictRotationForgetsTheOldOneAtOnce() throws Exception {
        play(DrivenTokenEndpoint.strict(TokenScript.healthy("app", "s & t")));
        String first = refreshToken(ask(exchange(endpoint.issueCode()), 0));
        ask(renewal(first), 0);

        ask(renewal(first), 40104);
    }

    @Test
    void faultsComeOnRequest() throws Exception {
        endpoint.order(TokenFault.STATUS_500);
        assertThat(get(exchange("x")).statusCode()).isEqualTo(500);
        endpoint.order(TokenFault.BROKEN_JSON);
        assertThat(get(exchange(endpoint.issueCode())).body()).endsWith("\"}").doesNotEndWith("}}");
        endpoint.order(TokenFault.WRONG_TYPES);
        assertThat(ask(exchange(endpoint.issueCode()), 0).at("/data/expires_in").isTextual())
                .isTrue();
        endpoint.order(TokenFault.EXPIRED_CODE);
        ask(exchange(endpoint.issueCode()), 40103);
        endpoint.order(TokenFault.REDIRECT);
        assertThat(get(exchange("x")).statusCode()).isEqualTo(302);
        endpoint.order(TokenFault.OVERSIZE);
        assertThat(get(exchange("x")).body()).hasSizeGreaterThan(64 * 1024);
        endpoint.order(TokenFault.RESET);
        assertThatThrownBy(() -> get(exchange("x"))).isInstanceOf(IOException.class);
        assertThat(events).extracting(TokenEvent::fault).contains(TokenFault.RESET, TokenFault.OVERSIZE);
    }

    @Test
    void aResetLeavesTheCodeGoodAndALostAnswerDoesNot() throws Exception {
        String code = endpoint.issueCode();
        endpoint.order(TokenFault.RESET);
        assertThatThrownBy(() -> get(exchange(code))).isInstanceOf(IOException.class);
        endpoint.order(TokenFault.LOST_ANSWER);
        assertThatThrownBy(() -> get(exchange(code))).isInstanceOf(IOException.class);

        ask(exchange(code), 40102);
    }

    @Test
    void aSlowAnswerComesLate() throws Exception {
        play(new TokenScript(
                "app",
                "s & t",
                TokenScript.LIFETIME,
                Duration.ofMinutes(10),
                false,
                Duration.ofMillis(300),
                List.of(TokenFault.SLOW),
                1));
        long begun = System.nanoTime();

        ask(exchange(endpoint.issueCode()), 0);
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(Duration.ofMillis(290));
    }

    @Test
    void faultsComeAtARate() throws Exception {
        play(DrivenTokenEndpoint.faulty(TokenScript.healthy("app", "s & t"), List.of(TokenFault.STATUS_500), 0.5));
        int failed = 0;
        for (int i = 0; i < 100; i++) {
            failed += get(exchange("x")).statusCode() == 500 ? 1 : 0;
        }
        assertThat(failed).isBetween(25, 75);
    }

    @Test
    void anotherPathOrMethodIsNoEndpoint() throws Exception {
        URI elsewhere = URI.create("http://127.0.0.1:" + port + "/other");
        assertThat(client.send(HttpRequest.newBuilder(elsewhere).build(), BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(404);
        HttpRequest post = HttpRequest.newBuilder(uri(exchange("x")))
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        assertThat(client.send(post, BodyHandlers.ofString()).body()).contains("40400");
    }

    @Test
    void aScriptShowsNoSecret() {
        assertThat(TokenScript.healthy("app", "c4nary").toString()).doesNotContain("c4nary");
    }

    private void play(TokenScript script) {
        endpoint = new DrivenTokenEndpoint(vertx, script, clock, new Random(1), events::add);
        port = endpoint.listen(new HttpServerOptions().setHost("127.0.0.1").setPort(0))
                .await();
    }

    private static List<String> exchange(String code) {
        return List.of("appId", "app", "appSecret", "s & t", "code", code, "grantType", "authorization_code");
    }

    private static List<String> renewal(String token) {
        return List.of("appId", "app", "appSecret", "s & t", "grantType", "refresh_token", "refreshToken", token);
    }

    private static String refreshToken(JsonNode answer) {
        return answer.at("/data/refresh_token").textValue();
    }

    private JsonNode ask(List<String> parameters, int code) throws IOException, InterruptedException {
        JsonNode answer = new ObjectMapper().readTree(get(parameters).body());
        assertThat(answer.path("code").intValue()).isEqualTo(code);
        assertThat(answer.path("msg").isTextual()).isTrue();
        assertThat(answer.has("data")).isEqualTo(code == 0);
        return answer;
    }

    private HttpResponse<String> get(List<String> parameters) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(uri(parameters)).build(), BodyHandlers.ofString());
    }

    private URI uri(List<String> parameters) {
        StringJoiner query = new StringJoiner("&");
        for (int i = 0; i < parameters.size(); i += 2) {
            query.add(parameters.get(i) + "=" + URLEncoder.encode(parameters.get(i + 1), StandardCharsets.UTF_8));
        }
        return URI.create("http://127.0.0.1:" + port + TokenScript.PATH + "?" + query);
    }
}
