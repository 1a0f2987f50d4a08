package dev.holdfast.token;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.MAP;

import dev.holdfast.LogLines;
import dev.holdfast.config.RenewalConfig;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the service may answer, and what becomes of it. */
@Timeout(60)
class TokenAnswersTest {
    private static final String DATA =
            "{\"access_token\":\"a1\",\"expires_in\":7200,\"refresh_token\":\"r1\",\"scope\":\"all\"}";

    @TempDir
    Path directory;

    @Test
    void codeZeroWithCompleteAndWellTypedDataIsSuccess() {
        try (ScriptedService service = new ScriptedService().answering(200, success(DATA));
                TokenLife life = against(service)) {
            assertThat(life.current().value()).isEqualTo("a1");
        }
    }

    @Test
    void fieldsThatTheInterfaceDoesNotNameArePassedOver() {
        String data = DATA.replace("}", ",\"more\":[1]}");
        try (ScriptedService service =
                        new ScriptedService().answering(200, "{\"x\":1,\"code\":0,\"data\":" + data + "}");
                TokenLife life = against(service)) {
            assertThat(life.state()).isEqualTo("valid");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {",\"scope\":null", ",\"scope\":[\"all\"]", ""})
    void aTokenWithoutAScopeIsGood(String scope) {
        String data = DATA.replace(",\"scope\":\"all\"", scope);
        try (ScriptedService service = new ScriptedService().answering(200, success(data));
                TokenLife life = against(service)) {
            assertThat(life.current().value()).isEqualTo("a1");
            assertThat(life.current().scope()).isEmpty();
            assertThat(life.status().getString("scope")).isEmpty();
            life.restart().settle();
            assertThat(life.current().value()).isEqualTo("a1");
            life.pass(Duration.ofSeconds(5800));
            assertThat(service.queries.get(1)).containsEntry("refreshToken", "r1");
        }
    }

    @Test
    void whatIsSecretInAScopeIsNeitherShownNorPublished() {
        String data = DATA.replace("a1", "canary-token")
                .replace("r1", "canary-refresh")
                .replace("\"all\"", "\"read canary-token canary-refresh canary-app write\"");
        try (ScriptedService service = new ScriptedService().answering(200, success(data));
                TokenLife life = new TokenLife(directory)) {
            life.settings.at(service.port()).code("the code");
            life.settings.appSecret = "canary-app";
            life.start().settle();

            assertThat(life.current().value()).isEqualTo("canary-token");
            assertThat(life.current().scope()).isEqualTo("read ******** ******** ******** write");
            assertThat(life.current().toString() + life.status() + life.changes).doesNotContain("canary");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",\"refresh_token\":null", ",\"refresh_token\":\"\"", ",\"refresh_token\":7"})
    void aTokenThatIsNotToBeRenewedNeedsNoRefreshToken(String refreshToken) {
        String data = DATA.replace(",\"refresh_token\":\"r1\"", refreshToken);
        try (ScriptedService service = new ScriptedService().answering(200, success(data));
                TokenLife life = new TokenLife(directory)) {
            life.settings.at(service.port()).code("the code");
            life.settings.renews = false;
            life.start().settle();
            assertThat(life.current().value()).isEqualTo("a1");

            // with nothing to renew it with, a later configuration can't either
            life.settings.renews = true;
            life.restart().settle();
            assertThat(life.current().value()).isEqualTo("a1");
            life.pass(Duration.ofHours(1).plusMinutes(50));
            assertThat(life.state()).isEqualTo("needs-code");
            assertThat(life.current().value()).isEqualTo("a1");
            assertThat(service.uris).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",\"refresh_token\":null", ",\"refresh_token\":\"\""})
    void aTokenWithoutARefreshTokenIsGoodUntilItEnds(String refreshToken) {
        String data = DATA.replace(",\"refresh_token\":\"r1\"", refreshToken);
        try (LogLines log = LogLines.atWarn();
                ScriptedService service = new ScriptedService().answering(200, success(data));
                TokenLife life = against(service)) {
            assertThat(life.current().value()).isEqualTo("a1");
            assertThat(life.state()).isEqualTo("valid");
            assertThat(log.text()).contains("found no refresh_token");
            life.restart().settle();
            life.pass(Duration.ofHours(1).plusMinutes(50));

            assertThat(life.state()).isEqualTo("needs-code");
            assertThat(life.current().value()).isEqualTo("a1");
            assertThat(service.uris).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",\"refresh_token\":null", ",\"refresh_token\":\"\""})
    void aRenewalWithoutARefreshTokenLeavesTheOneBeforeInUse(String refreshToken) {
        String renewed = DATA.replace(",\"refresh_token\":\"r1\"", refreshToken);
        try (ScriptedService service = new ScriptedService().answering(200, success(DATA));
                TokenLife life = against(service)) {
            service.answering(200, success(renewed.replace("a1", "a2")));
            life.pass(Duration.ofSeconds(5800));
            assertThat(life.current().value()).isEqualTo("a2");
            service.answering(200, success(renewed.replace("a1", "a3")));
            life.restart().settle();
            life.pass(Duration.ofSeconds(5800));
            assertThat(life.current().value()).isEqualTo("a3");
            assertThat(service.queries.get(2)).containsEntry("refreshToken", "r1");
        }
    }

    static Stream<Arguments> answers() {
        return Stream.of(
                Arguments.of(200, "{\"code\":17,\"msg\":\"no such code\"}", "rejected", false),
                Arguments.of(200, "{\"code\":-1,\"msg\":\"no\",\"data\":" + DATA + "}", "rejected", false),
                Arguments.of(400, "{\"code\":17,\"msg\":\"no such code\"}", "rejected", false),
                Arguments.of(429, "{\"code\":17,\"msg\":\"slow down\"}", "bad-status", true),
                Arguments.of(503, "{\"code\":17,\"msg\":\"later\"}", "bad-status", true),
                Arguments.of(500, success(DATA), "bad-status", true),
                Arguments.of(302, success(DATA), "bad-status", true),
                Arguments.of(204, "", "no-json", true),
                Arguments.of(404, "<html>", "bad-status", true),
                Arguments.of(200, "", "no-json", true),
                Arguments.of(200, "<html>", "no-json", true),
                Arguments.of(200, "[]", "no-json", true),
                Arguments.of(200, success(DATA).substring(1), "no-json", true),
                Arguments.of(200, "{\"data\":" + DATA + "}", "mistyped", true),
                Arguments.of(200, "{\"code\":\"0\",\"data\":" + DATA + "}", "mistyped", true),
                Arguments.of(200, "{\"code\":0.0,\"data\":" + DATA + "}", "mistyped", true),
                Arguments.of(200, "{\"code\":null,\"data\":" + DATA + "}", "mistyped", true),
                Arguments.of(200, "{\"code\":0}", "mistyped", true),
                Arguments.of(200, success("[]"), "mistyped", true),
                Arguments.of(200, success(DATA.replace("\"a1\"", "1")), "mistyped", true),
                Arguments.of(200, success(DATA.replace("\"a1\"", "\"\"")), "mistyped", true),
                Arguments.of(200, success(DATA.replace("\"a1\"", "\"a\\r\\nb\"")), "mistyped", true),
                Arguments.of(200, " ".repeat(64 * 1024) + success(DATA), "oversized", true));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("answers")
    void anythingElseIsANamedFailureAndRetriedOrNotAsMakesSense(int status, String body, String kind, boolean again) {
        try (ScriptedService service = new ScriptedService().answering(status, body);
                TokenLife life = against(service)) {
            assertThat(life.lastFailure().getString("kind")).isEqualTo(kind);
            assertThat(life.state()).isEqualTo(again ? "exchanging" : "needs-code");
            life.pass(Duration.ofSeconds(11));
            assertThat(service.uris).hasSize(again ? 2 : 1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {201, 202, 299})
    void aTokenThatComesWithAnotherSuccessIsNotLost(int status) {
        try (ScriptedService service = new ScriptedService().answering(status, success(DATA));
                TokenLife life = against(service)) {
            assertThat(life.current().value()).isEqualTo("a1");
            assertThat(life.state()).isEqualTo("valid");
        }
    }

    @Test
    void aStatusOfNoSuccessIsSaidBesideTheOneExpected() {
        try (ScriptedService service = new ScriptedService().answering(404, "<html>");
                TokenLife life = against(service)) {
            assertThat(life.lastFailure().getString("message")).isEqualTo("bad-status: found status 404, expected 200");
        }
    }

    @Test
    void theServicesCodeAndMsgAreShown() {
        try (ScriptedService service =
                        new ScriptedService().answering(200, "{\"code\":4711,\"msg\":\"no\\r\\nsuch  code\"}");
                TokenLife life = against(service)) {
            JsonObject failure = life.lastFailure();

            assertThat(failure.getLong("code")).isEqualTo(4711);
            assertThat(failure.getString("msg")).isEqualTo("no such  code");
            assertThat(failure.getString("message")).isEqualTo("rejected, service code 4711, msg \"no such  code\"");
            assertThat(failure.getString("during")).isEqualTo("exchange");
            assertThat(failure.getString("at")).isEqualTo(life.time.wall().toString());
        }
    }

    /** What a service may do that is told nothing else (RFC 9110, section 12.5.3), and a proxy before it. */
    @Test
    void anAnswerMayBeCompressed() throws Exception {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(compressed)) {
            out.write(success(DATA).getBytes(UTF_8));
        }
        try (ScriptedService service = new ScriptedService()) {
            service.answer = request -> request.response()
                    .putHeader("Content-Encoding", "gzip")
                    .end(Buffer.buffer(compressed.toByteArray()));
            try (TokenLife life = against(service)) {
                assertThat(life.current().value()).isEqualTo("a1");
            }
        }
    }

    @Test
    void anAnswerWithALargeHeadIsOne() {
        try (ScriptedService service = new ScriptedService()) {
            service.answer = request -> request.response()
                    .putHeader("Set-Cookie", "a".repeat(16 * 1024))
                    .end(success(DATA));
            try (TokenLife life = against(service)) {
                assertThat(life.current().value()).isEqualTo("a1");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("untidy")
    void aTokenIsNotLostForWhatIsBesideIt(String body) {
        try (ScriptedService service = new ScriptedService().answering(200, body);
                TokenLife life = against(service)) {
            assertThat(life.current().value()).isEqualTo("a1");
        }
    }

    static Stream<String> untidy() {
        String success = success(DATA);
        return Stream.of(
                success + "\n<!-- 3 ms -->",
                success + "\0",
                success.replace("{\"code\":0", "{\"code\":0,\"code\":0"),
                success.replace("\"data\"", "\"data\":{},\"data\""));
    }

    @Test
    void anAnswerOf64KiBIsNotTooLarge() {
        String body = success(DATA);
        try (ScriptedService service =
                        new ScriptedService().answering(200, body + " ".repeat(64 * 1024 - body.length()));
                TokenLife life = against(service)) {
            assertThat(life.state()).isEqualTo("valid");
        }
    }

    @Test
    void anEndlessAnswerIsCutOff() {
        try (ScriptedService service = new ScriptedService()) {
            service.answer = request -> {
                request.response().setChunked(true);
                service.vertx.setPeriodic(1, timer -> {
                    if (request.response().closed()) {
                        service.vertx.cancelTimer(timer);
                    } else {
                        request.response().write(" ".repeat(8 * 1024));
                    }
                });
            };
            try (TokenLife life = against(service)) {
                assertThat(life.lastFailure().getString("kind")).isEqualTo("oversized");
            }
        }
    }

    @Test
    void anAnswerThatDoesNotComeIsATimeout() {
        try (ScriptedService service = new ScriptedService()) {
            service.answer = request -> {};
            try (TokenLife life = impatient(service)) {
                assertThat(life.lastFailure().getString("kind")).isEqualTo("timed-out");
            }
        }
    }

    @Test
    void anAnswerThatComesDropByDropIsATimeout() {
        try (ScriptedService service = new ScriptedService()) {
            service.answer = request -> {
                request.response().setChunked(true);
                service.vertx.setPeriodic(20, timer -> {
                    if (request.response().closed()) {
                        service.vertx.cancelTimer(timer);
                    } else {
                        request.response().write(" ");
                    }
                });
            };
            try (TokenLife life = impatient(service)) {
                assertThat(life.lastFailure().getString("kind")).isEqualTo("timed-out");
            }
        }
    }

    @Test
    void aRefusedConnectionIsRetriedWithBackoffAndJitter() {
        try (TokenLife life = new TokenLife(directory)) {
            life.settings.at(1).code("the code");
            life.start().settle();
            assertThat(life.lastFailure().getString("kind")).isEqualTo("unreachable");
            assertThat(life.lastFailure().getString("message")).startsWith("unreachable: connection refused by ");
            assertThat(life.time.untilNext()).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(10));
            for (int i = 0; i < 10; i++) {
                life.pass(life.time.untilNext());
            }
            Duration first = life.time.untilNext();
            assertThat(first).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(30));
            assertThat(life.state()).isEqualTo("exchanging");
            assertThat(life.registry.scrape())
                    .containsPattern(
                            "holdfast_token_requests_total\\{kind=\"exchange\",outcome=\"unreachable\"} [1-9]");
        }
    }

    @Test
    void aConnectionThatIsResetIsRetried() {
        try (ScriptedService service = new ScriptedService()) {
            service.answer = request -> request.connection().close();
            try (TokenLife life = against(service)) {
                assertThat(life.lastFailure().getString("kind")).isEqualTo("broken");
                service.answering(200, success(DATA));
                life.pass(Duration.ofSeconds(11));
                assertThat(life.state()).isEqualTo("valid");
            }
        }
    }

    @Test
    void redirectsAreNotFollowed() {
        try (ScriptedService elsewhere = new ScriptedService().answering(200, success(DATA));
                ScriptedService service = new ScriptedService()) {
            service.answer = request -> request.response()
                    .setStatusCode(302)
                    .putHeader("Location", "http://127.0.0.1:" + elsewhere.port() + request.uri())
                    .end();
            try (TokenLife life = against(service)) {
                assertThat(life.lastFailure().getInteger("status")).isEqualTo(302);
                assertThat(elsewhere.uris).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a&b=c",
                "a+b",
                "a%b%20",
                "a=b",
                "a b",
                "\u00e4\u00f6\u20ac\u4f60\ud83d\ude00",
                "a#b?c/d;e,f'g\"h",
                "a\tb\nc",
                "{x}${y}",
                "*~-._"
            })
    void everySecretArrivesIntact(String secret) {
        try (ScriptedService service = new ScriptedService().answering(200, success(DATA));
                TokenLife life = new TokenLife(directory)) {
            life.settings.at(service.port()).code(secret + "c");
            life.settings.appId = secret + "i";
            life.settings.appSecret = secret + "s";
            life.start().settle();

            assertThat(service.queries)
                    .containsExactly(Map.of(
                            "appId", secret + "i",
                            "appSecret", secret + "s",
                            "code", secret + "c",
                            "grantType", "authorization_code"));
            assertThat(service.uris.get(0))
                    .startsWith("/open/v1/oauth2/access-token?")
                    .doesNotContain("+");
        }
    }

    @Test
    void theRenewalRequestIsAsConfigured() {
        try (ScriptedService service = new ScriptedService().answering(200, success(DATA.replace("r1", "r&1")));
                TokenLife life = new TokenLife(directory)) {
            life.settings.at(service.port()).code("the code");
            life.settings.renewalPath = "/renew";
            life.settings.renewalParameters = Map.of(
                    "client", RenewalConfig.APP_ID, "token", RenewalConfig.REFRESH_TOKEN, "fixed", "a&b {app-secret}");
            life.start().settle();
            life.pass(Duration.ofSeconds(5800));

            assertThat(service.uris.get(1)).startsWith("/renew?");
            assertThat(service.queries.get(1))
                    .isEqualTo(Map.of("client", "app one", "token", "r&1", "fixed", "a&b {app-secret}"));
        }
    }

    @Test
    void aSecretAmongTheParametersOfARenewalIsNotShown() {
        try (LogLines log = LogLines.atTrace();
                ScriptedService service = new ScriptedService().answering(200, success(DATA));
                TokenLife life = new TokenLife(directory)) {
            life.settings.at(service.port()).code("the code");
            life.settings.renewalParameters =
                    Map.of("t", RenewalConfig.REFRESH_TOKEN, "Api_Key", "canary 1", "grant", "renew");
            life.start().settle();
            service.answer = request -> request.response()
                    .end(new JsonObject()
                            .put("code", 9)
                            .put("msg", request.query())
                            .encode());
            life.pass(Duration.ofSeconds(5800));

            assertThat(life.lastFailure().getString("msg")).contains("Api_Key=********", "grant=renew");
            assertThat(log.text()).contains("rejected, service code 9").doesNotContain("canary");
        }
    }

    @Test
    void theRenewalRequestIsByDefaultInTheStyleOfTheExchange() {
        try (ScriptedService service = new ScriptedService().answering(200, success(DATA));
                TokenLife life = against(service)) {
            life.pass(Duration.ofSeconds(5800));

            assertThat(service.uris.get(1)).startsWith("/open/v1/oauth2/access-token?");
            assertThat(service.queries.get(1))
                    .isEqualTo(Map.of(
                            "appId",
                            TokenSettings.APP_ID,
                            "appSecret",
                            TokenSettings.APP_SECRET,
                            "grantType",
                            "refresh_token",
                            "refreshToken",
                            "r1"));
        }
    }

    @ParameterizedTest
    @CsvSource({"1000000,false", "1000001,true", "7200000,true"})
    void aValueOverAMillionSecondsLogsAWarning(long expiresIn, boolean warned) {
        try (LogLines log = LogLines.atTrace();
                ScriptedService service =
                        new ScriptedService().answering(200, success(DATA.replace("7200", Long.toString(expiresIn))));
                TokenLife life = against(service)) {
            assertThat(life.state()).isEqualTo("valid");
            assertThat(log.text().contains("set token.expires-in-unit")).isEqualTo(warned);
        }
    }

    @Test
    void expiresInMayBeInMilliseconds() {
        try (ScriptedService service = new ScriptedService().answering(200, success(DATA.replace("7200", "7200000")));
                TokenLife life = new TokenLife(directory)) {
            life.settings.at(service.port()).code("the code");
            life.settings.unit = dev.holdfast.config.TokenConfig.ExpiryUnit.MILLISECONDS;
            life.start().settle();

            assertThat(life.current().expiresAt()).isEqualTo(life.time.wall().plusSeconds(7200));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"7200\"", "7200.5", "7.2e3"})
    void aLifetimeInAnotherFormIsReadAsTheNumberItIs(String lifetime) {
        try (ScriptedService service = new ScriptedService().answering(200, success(DATA.replace("7200", lifetime)));
                TokenLife life = against(service)) {
            assertThat(life.current().expiresAt())
                    .isBetween(
                            life.time.wall().plusSeconds(7200), life.time.wall().plusSeconds(7201));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-7200", "400000000", "99999999999999999999", "1e400", "\"a1\"", "null", "true", "{}"})
    void aTokenWhoseLifetimeMakesNoSenseIsUsedForTenMinutesAndRenewedBefore(String lifetime) {
        try (LogLines log = LogLines.atWarn();
                ScriptedService service =
                        new ScriptedService().answering(200, success(DATA.replace("7200", lifetime)));
                TokenLife life = against(service)) {
            assertThat(life.current().expiresAt()).isEqualTo(life.time.wall().plusSeconds(600));
            assertThat(log.text())
                    .contains("expected from 1 second to 3650 days: the token is taken for one of 10 minutes")
                    .doesNotContain("a1");
            life.pass(Duration.ofMinutes(9));
            assertThat(service.queries).hasSize(2).last().asInstanceOf(MAP).containsEntry("refreshToken", "r1");
        }
    }

    @Test
    void aTokenWithoutALifetimeIsGoodToo() {
        String data = DATA.replace("\"expires_in\":7200,", "");
        try (LogLines log = LogLines.atWarn();
                ScriptedService service = new ScriptedService().answering(200, success(data));
                TokenLife life = against(service)) {
            assertThat(life.current().value()).isEqualTo("a1");
            assertThat(log.text()).contains("found expires_in missing");
        }
    }

    @Test
    void aLifetimeOfASecondIsNoBusyLoop() {
        try (ScriptedService service = new ScriptedService().answering(200, success(DATA.replace("7200", "1")));
                TokenLife life = against(service)) {
            life.pass(Duration.ofSeconds(100));

            assertThat(service.uris).hasSizeLessThanOrEqualTo(21);
        }
    }

    private static String success(String data) {
        return "{\"code\":0,\"msg\":\"success\",\"data\":" + data + "}";
    }

    private TokenLife against(ScriptedService service) {
        TokenLife life = new TokenLife(directory);
        life.settings.at(service.port()).code("the code");
        return life.start().settle();
    }

    private TokenLife impatient(ScriptedService service) {
        TokenLife life = new TokenLife(directory);
        life.settings.at(service.port()).code("the code");
        life.settings.requestTimeout = Duration.ofMillis(200);
        return life.start().settle();
    }
}
