package dev.holdfast.gateway;

import static dev.holdfast.Eventually.until;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code holdfast tap} beside a gateway. */
@Timeout(60)
class TapVerbTest {
    @TempDir
    Path directory;

    private static List<String> lines(RunningVerb tap) {
        return tap.out().lines().toList();
    }

    /** Until one is shown: nobody tells when the verb has come to watch. */
    private static void pushUntilSeen(GatewayUnderTest gateway, RunningVerb tap) {
        int[] n = {1000};
        until(() -> {
            gateway.push(envelope("client.created", ++n[0]));
            return !lines(tap).isEmpty();
        });
    }

    @Test
    void pushesAreALineEachAndTheGatewaysEndIsItsOwn() throws Exception {
        RunningVerb tap;
        try (GatewayUnderTest gateway = GatewayUnderTest.start(new GatewaySettings(), directory)) {
            tap = RunningVerb.start(gateway, "tap", "--event", "client.*");
            pushUntilSeen(gateway, tap);
            gateway.push(envelope("conversation.closed", 1));
            gateway.push(envelope("client.deleted", 2));

            until(() -> lines(tap).stream().anyMatch(line -> line.contains("client.deleted")));
            assertThat(lines(tap))
                    .noneMatch(line -> line.contains("conversation"))
                    .allMatch(line -> line.matches("[\\d:.]{12} +\\d+  client\\.\\S+ +default +ent-1 +\\d+ B"));
        }
        assertThat(tap.status()).isEqualTo(1);
        assertThat(tap.err()).contains("has ended the stream");
    }

    @Test
    void jsonIsALineAPushWithItsBodyAndWhatCannotBeMeantIsUsedWrongly() throws Exception {
        RunningVerb tap;
        try (GatewayUnderTest gateway = GatewayUnderTest.start(new GatewaySettings(), directory)) {
            Verb wrong = Verb.run(gateway, "tap", "--rate", "0");
            assertThat(wrong.status()).isEqualTo(2);
            assertThat(wrong.err()).contains("rate: found 0, expected a whole number from 1 to 10000");

            tap = RunningVerb.start(gateway, "tap", "--output", "json", "--body");
            pushUntilSeen(gateway, tap);

            JsonObject push = new JsonObject(lines(tap).get(0));
            assertThat(push.getString("event")).isEqualTo("client.created");
            assertThat(push.getString("body")).isNotEmpty();
        }
        assertThat(tap.status()).isEqualTo(1);
    }

    @Test
    void noGatewayIsAFailure() {
        assertThat(Verb.offline("tap", "--management", "http://127.0.0.1:1").status())
                .isEqualTo(1);
    }
}
