package dev.holdfast.gateway;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.gateway.GatewayUnderTest.signed;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The ladder in a whole gateway, whose disk can't have what is to be free of it. */
@Timeout(120)
class DiskLadderGatewayTest {
    /** No disk has so much. */
    private static final String NEVER_ENOUGH = "reserve: 1000TiB";

    @TempDir
    Path directory;

    private final Deliveries deliveries = new Deliveries();

    private static void push(GatewayUnderTest gateway, int from, int to) {
        for (int i = from; i <= to; i++) {
            String body = "{\"id\":\"sub_e_1700000000\",\"event\":\"client.created\",\"enterprise_token\":\"e\","
                    + "\"created_at\":1700000000,\"n\":" + i + "}";
            assertThat(gateway.send(signed(body)).status()).isEqualTo(200);
        }
    }

    private static JsonObject readiness(GatewayUnderTest gateway) {
        return new JsonObject(gateway.management("/readyz").body());
    }

    private static List<JsonObject> ledger(GatewayUnderTest gateway) {
        return new JsonObject(gateway.management("/api/v1/ledger").body())
                .getJsonArray("counts").stream().map(JsonObject.class::cast).toList();
    }

    /** The next start begins another one. */
    private void fillAFile() {
        try (GatewayUnderTest gateway =
                GatewayUnderTest.start(new GatewaySettings().consumer("dead", "*", deliveries), directory)) {
            push(gateway, 1, 20);
            assertThat(gateway.isReady()).isTrue();
        }
    }

    @Test
    void aDeadConsumersPushesAreGivenUpAndPushesGoOnBeingAccepted() {
        deliveries.behave(push -> Future.failedFuture("down"));
        fillAFile();
        GatewaySettings onAFullDisk =
                new GatewaySettings().withReserve(NEVER_ENOUGH).consumer("dead", "*", deliveries, "hold: 1ms");
        try (GatewayUnderTest gateway = GatewayUnderTest.start(onAFullDisk, directory)) {
            eventually(() -> assertThat(ledger(gateway)).isNotEmpty());
            assertThat(gateway.isReady()).isFalse();
            eventually(() -> assertThat(readiness(gateway).getJsonArray("notices"))
                    .anySatisfy(notice -> assertThat(notice.toString()).startsWith("step 3 of 4")));
            assertThat(readiness(gateway).getJsonObject("conditions").getBoolean("space"))
                    .isFalse();
            assertThat(gateway.management("/readyz?exclude=space").status()).isEqualTo(200);
            assertThat(gateway.management("/readyz?exclude=storage&exclude=accepting")
                            .status())
                    .isEqualTo(503);
            assertThat(readiness(gateway).getJsonObject("conditions").getBoolean("undamaged"))
                    .isTrue();

            JsonObject count = ledger(gateway).get(0);
            assertThat(count.getString("cause")).isEqualTo("given-up");
            assertThat(count.getString("consumer")).isEqualTo("dead");
            assertThat(count.getString("event")).isEqualTo("client.created");
            assertThat(count.getLong("from")).isEqualTo(1);
            assertThat(count.getLong("count")).isEqualTo(20);
            assertThat(count.getLong("to")).isEqualTo(20);
            assertThat(gateway.metric("holdfast_disk_step")).isGreaterThanOrEqualTo(3);
            assertThat(gateway.metric("holdfast_consumer_given_up_total{cause=\"given-up\",consumer=\"dead\"}"))
                    .isEqualTo(20);
            eventually(() -> assertThat(directory.resolve("data/00000000000000000001.segment"))
                    .doesNotExist());
            push(gateway, 21, 25);

            deliveries.behave(push -> Future.succeededFuture());
            eventually(() -> assertThat(deliveries.handledSeqs()).containsExactly(21L, 22L, 23L, 24L, 25L));
        }
    }

    @Test
    void whatAConsumerHadLessLongThanItsHoldStaysWhateverTheDiskSays() {
        deliveries.behave(push -> Future.failedFuture("down"));
        fillAFile();
        GatewaySettings settings =
                new GatewaySettings().withReserve(NEVER_ENOUGH).consumer("dead", "*", deliveries);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            eventually(() -> assertThat(readiness(gateway).getJsonArray("notices"))
                    .anySatisfy(notice -> assertThat(notice.toString())
                            .contains("consumer dead needs pushes from 1 on, which are younger than its hold of 14d")));
            deliveries.behave(push -> Future.succeededFuture());
            eventually(() -> assertThat(deliveries.handledSeqs()).hasSize(20));
            assertThat(ledger(gateway)).isEmpty();
        }
    }
}
