package dev.holdfast.gateway;

import static dev.holdfast.gateway.GatewayUnderTest.bytes;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static dev.holdfast.gateway.GatewayUnderTest.requestTo;
import static dev.holdfast.gateway.GatewayUnderTest.sign;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Eventually;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code holdfast quarantine} beside a gateway that was given a push with the secret of tomorrow, and one with nobody's. */
@Timeout(60)
class QuarantineVerbTest {
    private static final String TOMORROW = "the-secret-of-tomorrow-0123456789";

    @TempDir
    Path directory;

    private GatewayUnderTest gateway;

    @BeforeEach
    void start() {
        gateway = GatewayUnderTest.start(settings(GatewayUnderTest.SECRET), directory);
        refuse(1, TOMORROW);
        refuse(2, "the-secret-of-nobody-0123456789ab");
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    private static GatewaySettings settings(String secret) {
        return new GatewaySettings().endpoint("default", "/webhook", "Service-Signature", secret);
    }

    private void refuse(int n, String secret) {
        byte[] body = bytes(envelope("client.created", n));
        assertThat(gateway.send(requestTo("/webhook", body, "Service-Signature: " + sign(body, secret)))
                        .status())
                .isEqualTo(401);
    }

    private Verb run(String... verb) {
        return Verb.run(gateway, "quarantine", verb);
    }

    private JsonObject json(String... verb) {
        return new JsonObject(run(verb).done());
    }

    @Test
    void whatWasRefusedIsListedAndShown() {
        assertThat(run("list").done().lines().toList()).hasSize(3).satisfies(lines -> {
            assertThat(lines.get(0)).contains("ID", "RECEIVED", "CAUSE").endsWith("PUSH ID?");
            assertThat(lines.get(1))
                    .matches(" +2  \\S+Z  default +mismatch +127\\.0\\.0\\.1 +\\d+ B  client\\.created +\\S+");
        });
        assertThat(json("list", "--last", "1", "--output", "json").getJsonArray("requests"))
                .hasSize(1);
        assertThat(run("list", "--last", "0").status()).isEqualTo(2);

        assertThat(run("get", "1").done())
                .containsPattern("cause +mismatch\\R")
                .containsPattern("(?i)\\Rservice-signature: [0-9a-f]+\\R")
                .endsWith(envelope("client.created", 1) + System.lineSeparator());
        assertThat(json("get", "1", "--output", "json").getBinary("body")).isNotEmpty();
        assertThat(run("get", "one").status()).isEqualTo(2);
    }

    @Test
    void jsonSteersNoTerminalEitherAndSaysTheSame() {
        String id = "\u009b2J\u202e1\ud83d\udc4b";
        byte[] body = bytes("{\"event\":\"client.created\",\"id\":\"" + id + "\"}");
        gateway.send(requestTo("/webhook", body, "Service-Signature: wrong"));
        Eventually.until(() -> gateway.metric("holdfast_quarantine_requests") == 3);

        Verb listed = run("list", "--last", "1", "--output", "json");

        assertThat(listed.done()).doesNotContain("\u009b", "\u202e").contains("\\u009b2J\\u202e1\ud83d\udc4b");
        assertThat(new JsonObject(listed.out())
                        .getJsonArray("requests")
                        .getJsonObject(0)
                        .getString("pushId"))
                .isEqualTo(id);
    }

    @Test
    void oneThatMatchesNowIsAPushAndTheOtherStays() {
        assertThat(run("verify", "--id", "1").status()).isEqualTo(1);
        assertThat(Verb.run(gateway, "pushes", "list").done()).isEmpty();
        gateway.reconfigure(settings(TOMORROW), directory);

        assertThat(run("verify", "--all", "--dry-run").done().lines())
                .containsExactly(
                        "1 would be a push now, in the order of their arrival, marked late",
                        "1 would be no match for the secrets of now, and stays");
        assertThat(run("verify", "--all").done().lines())
                .containsExactly(
                        "1 is a push now, in the order of their arrival, marked late",
                        "1 is no match for the secrets of now, and stays");
        assertThat(Verb.run(gateway, "pushes", "list").done()).containsPattern("1 .* client\\.created .*\\(late\\)");

        Verb again = run("verify", "--all", "--output", "json");
        assertThat(again.status()).isEqualTo(1);
        assertThat(new JsonObject(again.out()).getInteger("wrong")).isEqualTo(1);
        assertThat(json("discard", "--all", "--reason", "a stray", "--output", "json"))
                .isEqualTo(new JsonObject("{\"discarded\":1}"));
    }

    @Test
    void aQuarantineThatIsNotOpenIsNoEmptyOne() throws IOException {
        gateway.close();
        // What is begun next takes nothing that is written to it.
        Path next = Files.createSymbolicLink(
                directory.resolve("data/quarantine/%020d.requests".formatted(3)), Path.of("/dev/full"));
        gateway = GatewayUnderTest.start(settings(GatewayUnderTest.SECRET), directory);

        assertThat(run("list").status()).isEqualTo(1);
        assertThat(run("get", "1").status()).isEqualTo(1);
        assertThat(run("verify", "--all").status()).isEqualTo(1);
        assertThat(Files.readSymbolicLink(next)).isEqualTo(Path.of("/dev/full"));
    }
}
