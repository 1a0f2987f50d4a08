package dev.holdfast.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the API tells of the gateway as a whole. */
@Timeout(60)
final class GatewayApiTest {
    @TempDir
    private Path directory;

    private static JsonObject gateway(GatewayUnderTest gateway) {
        HttpAnswer answer = gateway.management("/api/v1/gateway");
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return new JsonObject(answer.body());
    }

    @Test
    void itTellsWhatRunsAndHowItStands() {
        Instant before = Instant.now();
        GatewaySettings settings =
                new GatewaySettings().withReserve("reserve: 1KiB").journal("set-aside: 0B");
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            gateway.push(GatewayUnderTest.envelope("client.created", 1));
            JsonObject shown = gateway(gateway);

            assertThat(shown.getInstant("upSince")).isBetween(before, Instant.now());
            assertThat(shown.getJsonObject("ports"))
                    .isEqualTo(new JsonObject()
                            .put("receiver", gateway.port())
                            .put("management", gateway.gateway().managementPort()));
            assertThat(shown.getBoolean("ready")).isTrue();
            assertThat(shown.getJsonObject("journal").getLong("lastSeq")).isEqualTo(1);
            assertThat(shown.getJsonObject("disk").getLong("free")).isPositive();
            assertThat(shown.getJsonObject("disk").getLong("reserve")).isEqualTo(1024);
            assertThat(shown.getJsonObject("configuration").getString("effective"))
                    .contains("receiver.port: 0", "secrets: [********]")
                    .doesNotContain(GatewayUnderTest.SECRET);
        }
    }

    @Test
    void itTellsWhatIsMissingForReadiness() {
        GatewaySettings settings =
                new GatewaySettings().withReserve("reserve: 1000TiB").journal("set-aside: 0B");
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            JsonObject shown = gateway(gateway);

            assertThat(shown.getBoolean("ready")).isFalse();
            assertThat(shown.getJsonArray("conditions"))
                    .contains(new JsonObject()
                            .put("name", "space")
                            .put("required", true)
                            .put("holds", false));
        }
    }

    @Test
    void aConsumerIsNotOneOfNone() {
        try (GatewayUnderTest gateway = GatewayUnderTest.start(new GatewaySettings(), directory)) {
            HttpAnswer answer = gateway.management("/api/v1/consumers/mine");

            assertThat(answer.status()).isEqualTo(404);
            assertThat(new JsonObject(answer.body()).getString("detail"))
                    .isEqualTo("found no consumer mine, and none is configured");
        }
    }
}
