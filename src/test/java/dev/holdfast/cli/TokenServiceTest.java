package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code simulate --serve-tokens}. */
@Timeout(60)
class TokenServiceTest {
    private final StringWriter out = new StringWriter();

    @Test
    void itPrintsACodeToUseAndWhatItPlays() throws Exception {
        TokenService service = new TokenService();
        service.port = 0;
        Runnable end = service.play(new PrintWriter(out, true), Map.of());
        try {
            String text = out.toString();
            assertThat(text).contains("token.app-id      simulated-app", "token.app-secret  simulated-app-secret");
            assertThat(text).contains("A code is good once, a token for 7200 s. What goes wrong: nothing.");
            String code = found("token.code +(\\S+)");

            assertThat(get(code)).contains("\"code\":0", "access_token");
            assertThat(get(code)).contains("40102");
            assertThat(out.toString()).contains("exchange of a code     answered 0", "answered 40102");
            assertThat(get(found("the next code +(\\S+)"))).contains("\"code\":0");
        } finally {
            end.run();
        }
    }

    @Test
    void anApplicationSecretOfTheUsersOwnIsNotPrinted() {
        TokenService service = new TokenService();
        service.port = 0;
        service.secretVariable = "MY_SECRET";
        service.play(new PrintWriter(out, true), Map.of("MY_SECRET", "c4nary")).run();

        assertThat(out.toString()).contains("that in MY_SECRET").doesNotContain("c4nary");
    }

    @Test
    void simulateWantsATargetOrTokensToServe() {
        CommandLineRun run = CommandLineRun.of("simulate");

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains("--to: nothing (expected: the Webhook URL, or --serve-tokens)");
    }

    @Test
    void aBadOptionIsAUsageError() {
        assertThat(CommandLineRun.of(
                        "simulate", "--serve-tokens", "0", "--token-fault-rate", "2", "--token-fault", "slow"))
                .satisfies(run -> assertThat(run.status()).isEqualTo(2))
                .satisfies(run -> assertThat(run.err()).contains("token fault rate: 2.0 (expected: 0 to 1)"));
        assertThat(CommandLineRun.of("simulate", "--serve-tokens", "0", "--token-fault", "nonsense")
                        .err())
                .contains("broken-json");
    }

    @Test
    void aPortThatIsTakenIsNamed() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CommandLineRun run =
                    CommandLineRun.of("simulate", "--serve-tokens", Integer.toString(taken.getLocalPort()));

            assertThat(run.status()).isEqualTo(1);
            assertThat(run.err())
                    .startsWith("holdfast: --serve-tokens: can't listen on 127.0.0.1:" + taken.getLocalPort() + ": ")
                    .contains("Address already in use");
        }
    }

    private String get(String code) throws Exception {
        String query = "?appId=simulated-app&appSecret=simulated-app-secret&grantType=authorization_code&code="
                + URLEncoder.encode(code, StandardCharsets.UTF_8);
        URI uri = URI.create(found("played at (\\S+)") + query);
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                .body();
    }

    private String found(String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(out.toString());
        assertThat(matcher.find()).as(pattern).isTrue();
        return matcher.group(1);
    }
}
