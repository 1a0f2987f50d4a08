package dev.holdfast.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code holdfast audit} beside a gateway of which something was changed three times. */
@Timeout(60)
class AuditVerbTest {
    @TempDir
    static Path directory;

    private static GatewayUnderTest gateway;

    @BeforeAll
    static void start() {
        gateway = GatewayUnderTest.start(new GatewaySettings().consumer("mine", "*", new Deliveries()), directory);
        for (String verb : List.of("pause", "resume", "pause")) {
            Verb.run(gateway, "consumers", verb, "mine").done();
        }
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    @Test
    void theNewestComeFirstAndSayWhoDidWhat() {
        List<String> lines = Verb.run(gateway, "audit").done().lines().toList();

        assertThat(lines).hasSize(4);
        assertThat(lines.get(0)).startsWith("AT ").contains("WHO", "ACTION").endsWith("REASON");
        assertThat(lines.get(1)).matches("\\S+Z  anonymous +127\\.0\\.0\\.1 +consumers\\.pause +mine .*");
        assertThat(lines.get(2)).contains("consumers.resume");
    }

    @Test
    void asManyAsAreAskedForAreShownAndHowToGoOn() {
        Verb newest = Verb.run(gateway, "audit", "--last", "1");
        assertThat(newest.done()).hasLineCount(2);
        assertThat(newest.err()).contains("more: --last with a larger number, or --cursor ");

        String cursor = newest.err().strip().replaceAll(".*--cursor ", "");
        assertThat(Verb.run(gateway, "audit", "--cursor", cursor).done())
                .hasLineCount(3)
                .contains("consumers.resume");
        assertThat(new JsonObject(Verb.run(gateway, "audit", "--last", "2", "--output", "json")
                                .done())
                        .getJsonArray("actions"))
                .hasSize(2);
    }

    @Test
    void whatCannotBeMeantIsUsedWrongly() {
        assertThat(Verb.run(gateway, "audit", "--last", "0").err())
                .contains("--last: found 0, expected a number from 1 on");
        assertThat(Verb.run(gateway, "audit", "--last", "0").status()).isEqualTo(2);
        assertThat(Verb.run(gateway, "audit", "--cursor", "nowhere").status()).isEqualTo(2);
    }
}
