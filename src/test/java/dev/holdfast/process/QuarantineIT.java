package dev.holdfast.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A wrong secret, a gateway that is killed, and the pushes got back by the command line. */
@Timeout(300)
final class QuarantineIT {
    private static final int PUSHES = 100;

    @TempDir
    Path directory;

    private final PushClient client = new PushClient();
    private Installation installation;

    @BeforeEach
    void install() throws IOException {
        installation = new Installation(directory);
        installation.keepSecret("wrong-secret-0123456789abcdef");
        installation.set("HOLDFAST_WRONG", "wrong-secret-0123456789abcdef");
        installation.configure("""
                consumers:
                  - {name: archive, events: ["*"], verticle: file, options: {directory: archive}}
                """);
        installation.edit("${HOLDFAST_SECRET}", "${HOLDFAST_WRONG}");
    }

    @AfterEach
    void remove() {
        installation.close();
    }

    @Test
    void pushesRefusedBeforeAKillAreDeliveredOnceTheSecretIsCorrected() throws Exception {
        Child first = installation.running();
        for (int i = 0; i < PUSHES; i++) {
            assertThat(client.send(first.webhook(), Installation.SECRET, "client.created", 100)
                            .statusCode())
                    .isEqualTo(401);
        }
        Await.until("all are kept", () -> client.metric(first, "holdfast_quarantine_kept_total") == PUSHES);
        first.kill();

        Child second = installation.running();
        installation.edit("${HOLDFAST_WRONG}", "${HOLDFAST_SECRET}");
        second.awaitLog("the changed configuration is in force");
        Child verify = installation.start(
                "quarantine",
                "verify",
                "--all",
                "--management",
                second.management("").toString());
        assertThat(verify.awaitExit()).as(verify.output()).isZero();
        assertThat(verify.out().text()).contains(PUSHES + " are pushes now");
        second.kill();

        Child third = installation.running();
        Await.until("all are delivered", () -> client.allDelivered(third));
        JsonObject kept = new JsonObject(
                client.get(third.management("/api/v1/pushes?limit=1000")).body());
        assertThat(kept.getJsonArray("pushes"))
                .hasSize(PUSHES)
                .allMatch(push -> ((JsonObject) push).getBoolean("late"));
        assertThat(client.get(third.management("/api/v1/quarantine")).body()).contains("\"requests\":[]");
        third.terminate();

        List<BodyDigest> archived = new Archive(directory.resolve("archive"))
                .pushes().stream().map(ArchivedPush::digest).distinct().toList();
        assertThat(archived)
                .isEqualTo(client.sent().stream().map(SentPush::digest).toList());
    }
}
