package dev.holdfast.token;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LogLines;
import dev.holdfast.simulator.TokenFault;
import dev.holdfast.simulator.TokenScript;
import io.vertx.core.AsyncResult;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.NetServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Contract C4: a whole life at TRACE, through every failure, and nothing secret anywhere. */
class TokenSecrecyTest {
    private static final String APP_SECRET = "canary-app&secret+% ~(*)\u20ac";
    private static final String CODE = "canary-code&+% ~(*)\u20ac";
    private static final String KEY = "canary-key-0123456789";

    @TempDir
    Path directory;

    private final List<String> seen = new ArrayList<>();

    @Test
    @Timeout(120)
    void nothingSecretIsInALogAnExceptionAnApiAnswerOrAMetric() {
        TokenScript script = new TokenScript(
                TokenSettings.APP_ID,
                APP_SECRET,
                Duration.ofHours(2),
                Duration.ofDays(9),
                false,
                Duration.ofSeconds(4),
                List.of(),
                0);
        Set<String> secrets = new TreeSet<>(List.of(APP_SECRET, CODE, KEY, "canary-code"));
        try (LogLines log = LogLines.atTrace()) {
            try (TokenLife life = new TokenLife(directory, script, 1)) {
                live(life);
                secrets.addAll(life.service.secrets());
                look(life);
            }
            secrets.addAll(echo());
            breakTheProtocol();
            refuseConnections();
            seen.add(log.text());
            assertThat(log.text()).contains("oversized", "timed-out", "broken", "no-json", "rejected");
        }
        assertThat(secrets).hasSizeGreaterThan(20);
        String everything = String.join("\n", seen);
        for (String secret : secrets) {
            assertThat(everything)
                    .doesNotContain(secret)
                    .doesNotContain(encoded(secret))
                    .doesNotContain(encoded(secret).replace("+", "%20"));
        }
    }

    private void live(TokenLife life) {
        life.settings.appSecret = APP_SECRET;
        life.settings.key = KEY;
        life.settings.requestTimeout = Duration.ofSeconds(2);
        life.settings.code(CODE);
        life.start().settle();
        look(life);
        exchange(life, CODE);
        exchange(life, life.service.issueCode());
        look(life);
        for (TokenFault fault : TokenFault.values()) {
            life.service.order(fault);
            life.pass(Duration.ofSeconds(5761));
            look(life);
            life.pass(Duration.ofHours(2));
            look(life);
            life.service.order(fault);
            exchange(life, life.service.issueCode());
        }
        life.settings.key = "canary-another-key-012";
        life.restart().settle();
        look(life);
        life.settings.key = KEY;
        life.restart().settle();
        look(life);
    }

    /** A service that sends back everything that it was sent, in every way it can. Returns the secrets as they came. */
    private Set<String> echo() {
        try (ScriptedService service = new ScriptedService();
                TokenLife life = new TokenLife(directory.resolve("echo"))) {
            life.settings.at(service.port()).code(CODE);
            life.settings.appSecret = APP_SECRET;
            for (int status : List.of(200, 302, 400, 500)) {
                service.answer = request -> request.response()
                        .setStatusCode(status)
                        .putHeader("Location", request.uri())
                        .putHeader("X-Echo", request.query())
                        .end(new JsonObject()
                                .put("code", 7)
                                .put("msg", "bad " + APP_SECRET + " in " + request.uri() + " " + CODE)
                                .put("data", request.query())
                                .encode());
                life.restart().settle();
                look(life);
                exchange(life, CODE);
                service.answer =
                        request -> request.response().setStatusCode(status).end(request.uri());
                exchange(life, CODE);
                service.answer = request -> request.connection().close();
                exchange(life, CODE);
            }
            return service.uris.stream()
                    .flatMap(uri -> Stream.of(uri.split("[?&=]")))
                    .filter(value -> value.contains("canary"))
                    .collect(Collectors.toSet());
        }
    }

    /** What sends back the same where no HTTP client expects it. */
    private void breakTheProtocol() {
        try (TokenLife life = new TokenLife(directory.resolve("protocol"))) {
            for (String answer : List.of("%s 200 OK", "HTTP/1.1 %s OK", "HTTP/1.1 200 OK\r\nContent-Length: %s")) {
                NetServer server = life.vertx
                        .createNetServer()
                        .connectHandler(socket -> socket.handler(request -> {
                            String target = request.toString().split(" ")[1];
                            socket.write(answer.formatted(target) + "\r\n\r\n");
                        }));
                life.settings
                        .at(server.listen(0, "127.0.0.1").await().actualPort())
                        .code("canary-code");
                life.stop().time.pass(Duration.ofSeconds(10));
                life.start().settle();
                assertThat(life.lastFailure().getString("kind")).isEqualTo("broken");
                look(life);
            }
        }
    }

    private void refuseConnections() {
        try (TokenLife life = new TokenLife(directory.resolve("refused"))) {
            life.settings.at(1).code(CODE);
            life.settings.appSecret = APP_SECRET;
            life.start().settle();
            look(life);
            life.stop();
            life.settings.baseUrl = "https://127.0.0.1:1/";
            life.start().settle();
            look(life);
        }
    }

    private void exchange(TokenLife life, String code) {
        var exchange = life.verticle().exchange(code);
        life.pass(Duration.ofSeconds(6));
        look(exchange.transform(io.vertx.core.Future::succeededFuture).await());
        look(life);
    }

    private void look(TokenLife life) {
        seen.add(life.status().encode());
        seen.add(life.registry.scrape());
        seen.add(life.settings.config().toString());
        seen.add(life.changes.toString());
        look(life.asking().transform(io.vertx.core.Future::succeededFuture).await());
    }

    private void look(AsyncResult<?> result) {
        seen.add(String.valueOf(result.result()));
        if (result.failed()) {
            StringWriter trace = new StringWriter();
            result.cause().printStackTrace(new PrintWriter(trace));
            seen.add(trace.toString());
        }
    }

    private static String encoded(String secret) {
        return URLEncoder.encode(secret, StandardCharsets.UTF_8);
    }
}
