package dev.holdfast.gateway;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.push.PermanentFailure;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What verbs say to type next, and what they say where that finds nothing. */
@Timeout(60)
class NextCommandsTest {
    @TempDir
    static Path directory;

    private static GatewayUnderTest gateway;

    @BeforeAll
    static void start() {
        Deliveries deliveries =
                new Deliveries().behave(push -> Future.failedFuture(new PermanentFailure("no such client")));
        gateway = GatewayUnderTest.start(new GatewaySettings().consumer("mine", "*", deliveries), directory);
        assertThat(gateway.push(envelope("client.created", 1)).status()).isEqualTo(200);
        eventually(() ->
                assertThat(gateway.management("/api/v1/dead-letters").body()).contains("\"seq\":1"));
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    private static String url() {
        return "http://127.0.0.1:" + gateway.gateway().managementPort();
    }

    @Test
    void theyAskTheSameGateway() {
        assertThat(Verb.run(gateway, "pushes", "get", "1").done())
                .contains("dead-letters retry --consumer mine --seq 1 --management " + url());
    }

    @Test
    void theEnvironmentMayNameTheGatewayAndThenNothingHasTo() {
        Map<String, String> environment = Map.of("HOLDFAST_MANAGEMENT", url());

        assertThat(Verb.in(environment, "pushes", "get", "1").done())
                .contains("dead-letters retry --consumer mine --seq 1")
                .doesNotContain("--management");
        assertThat(Verb.in(Map.of("HOLDFAST_MANAGEMENT", "here"), "pushes", "list"))
                .satisfies(wrong -> assertThat(wrong.status()).isEqualTo(2))
                .satisfies(wrong -> assertThat(wrong.err()).contains("HOLDFAST_MANAGEMENT: found no URL, expected"));
    }

    @Test
    void deadLettersThatAreNotThereAreNeitherRetriedNorDiscarded() {
        Verb retry = Verb.run(gateway, "dead-letters", "retry", "--seq", "77");
        Verb discard = Verb.run(gateway, "dead-letters", "discard", "--seq", "77", "--reason", "by hand");

        assertThat(retry.status()).isEqualTo(1);
        assertThat(retry.out()).contains("found no dead letter of --seq 77", "dead-letters list");
        assertThat(discard.status()).isEqualTo(1);
        assertThat(discard.out()).contains("found nothing of --seq 77");
    }

    @Test
    void whatFailedAgainSaysWhereItsErrorIs() {
        Verb retry = Verb.run(gateway, "dead-letters", "retry", "--seq", "1", "--follow");

        assertThat(retry.status()).isEqualTo(1);
        assertThat(retry.out())
                .contains("0 delivered, 1 failed again: dead-letters list --seq 1 --management " + url());
    }

    @Test
    void anIdentifierInThePlaceOfAPositionIsSaidAndWhereToLookForIt() {
        assertThat(Verb.offline("pushes", "get", "C3").err())
                .startsWith("holdfast: SEQ: found C3, expected a position such as 4711;"
                        + " by the platform's identifier: pushes list --id C3\n");
        assertThat(Verb.offline("pushes", "get", "it's").err()).contains("pushes list --id 'it'\\''s'\n");
        assertThat(Verb.offline("quarantine", "get", "C3").err()).contains("quarantine list --push-id C3\n");
        assertThat(Verb.offline("dead-letters", "get", "--seq", "2538", "--consumer", "forward")
                        .err())
                .startsWith("holdfast: found the option --seq, which this verb does not have;"
                        + " expected holdfast dead-letters get CONSUMER SEQ\n");
        assertThat(Verb.offline("pushes", "list", "--from", "C3").err())
                .startsWith("holdfast: --from: found C3, expected a whole number\n");
    }
}
