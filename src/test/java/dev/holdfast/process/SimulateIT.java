package dev.holdfast.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code simulate} against {@code run}: two processes that must agree on what went between them. */
@Timeout(900)
final class SimulateIT {
    private static final int PUSHES = 1000;
    private static final String EVERY_FAULT =
            "wrong-signature,duplicate,broken-json,unknown-event,same-id,slow-body,oversize";

    @TempDir
    Path directory;

    private final PushClient client = new PushClient();
    private Installation installation;
    private Child gateway;

    @BeforeEach
    void start() throws Exception {
        installation = new Installation(directory);
        installation.configure("""
            consumers:
              - name: everything
                events: ["*", "push.unreadable"]
                verticle: log
            """);
        gateway = installation.running();
    }

    @AfterEach
    void remove() {
        installation.close();
    }

    private static long count(JsonObject summary, String kind, int status) {
        JsonObject outcome = summary.getJsonObject("kinds").getJsonObject(kind);
        return outcome.getJsonObject("statuses").getLong(Integer.toString(status), 0L);
    }

    @Test
    void withEveryFaultAtOnceBothCountTheSame() throws Exception {
        Child simulate = installation.start(
                "simulate",
                "--to",
                gateway.webhook().toString(),
                "--rate",
                "500",
                "--count",
                String.valueOf(PUSHES),
                "--fault",
                EVERY_FAULT,
                "--fault-rate",
                "0.3",
                "--slow-body-time",
                "1s",
                "--output",
                "json");
        assertThat(simulate.awaitExit()).as(simulate.output()).isZero();
        JsonObject summary = new JsonObject(simulate.out().text());

        assertThat(summary.getLong("sent")).isEqualTo(PUSHES);
        assertThat(summary.getLong("missed")).isZero();
        assertThat(summary.getJsonObject("silences").isEmpty()).isTrue();
        assertThat(summary.getJsonObject("kinds").fieldNames())
                .containsExactlyInAnyOrder(("healthy," + EVERY_FAULT).split(",", -1));
        long ok = summary.getJsonObject("statuses").getLong("200");
        long duplicates = count(summary, "duplicate", 200);
        assertThat(metric("holdfast_receiver_requests_total")).isEqualTo(PUSHES);
        assertThat(metric("holdfast_receiver_duplicates_total")).isEqualTo(duplicates);
        assertThat(metric("holdfast_receiver_unreadable_total")).isEqualTo(count(summary, "broken-json", 200));
        assertThat(metric("holdfast_journal_last_seq")).isEqualTo(ok - duplicates);
        for (int status : new int[] {200, 401, 413}) {
            assertThat(answers(status))
                    .isEqualTo(summary.getJsonObject("statuses").getLong(Integer.toString(status)));
        }
        assertThat(count(summary, "wrong-signature", 401)).isEqualTo(answers(401));
        assertThat(count(summary, "oversize", 413)).isEqualTo(answers(413));
        Await.until("everything kept is delivered", () -> client.allDelivered(gateway));
        assertThat(metric("holdfast_consumer_delivered_total")).isEqualTo(ok - duplicates);
    }

    private long metric(String name) throws Exception {
        return Math.round(client.metric(gateway, name));
    }

    private long answers(int status) throws Exception {
        String metrics = client.get(gateway.management("/metrics")).body();
        String end = ",status=\"" + status + "\"} ";
        return metrics.lines()
                .filter(line -> line.startsWith("holdfast_receiver_answers_total{") && line.contains(end))
                .mapToLong(line -> Math.round(Double.parseDouble(line.substring(line.indexOf(end) + end.length()))))
                .sum();
    }
}
