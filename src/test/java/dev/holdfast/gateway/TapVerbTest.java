package dev.holdfast.gateway;

import static dev.holdfast.Eventually.until;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.CliEnvironment;
import dev.holdfast.cli.HoldfastCommand;
import dev.holdfast.config.ConsumerCheck;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code holdfast tap} beside a gateway. */
@Timeout(60)
class TapVerbTest {
    @TempDir
    Path directory;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    /** Its exit status, once it ends. */
    private CompletableFuture<Integer> tap(GatewayUnderTest gateway, String... options) {
        List<String> args = new ArrayList<>(List.of(
                "tap", "--management", "http://127.0.0.1:" + gateway.gateway().managementPort()));
        args.addAll(List.of(options));
        CliEnvironment cli = new CliEnvironment(
                new ByteArrayInputStream(new byte[0]),
                new PrintWriter(out, true, UTF_8),
                out,
                new PrintWriter(err, true, UTF_8),
                Map.of());
        return CompletableFuture.supplyAsync(
                () -> HoldfastCommand.execute(
                        cli,
                        (config, watcher) -> {
                            throw new IllegalStateException("no gateway is started");
                        },
                        ConsumerCheck.NONE,
                        args.toArray(String[]::new)),
                work -> new Thread(work, "tap").start());
    }

    private List<String> lines() {
        return out.toString(UTF_8).lines().toList();
    }

    /** Until one is shown: nobody tells when the verb has come to watch. */
    private void pushUntilSeen(GatewayUnderTest gateway) {
        int[] n = {1000};
        until(() -> {
            gateway.push(envelope("client.created", ++n[0]));
            return !lines().isEmpty();
        });
    }

    @Test
    void pushesAreALineEachAndTheGatewaysEndIsItsOwn() throws Exception {
        CompletableFuture<Integer> status;
        try (GatewayUnderTest gateway = GatewayUnderTest.start(new GatewaySettings(), directory)) {
            status = tap(gateway, "--event", "client.*");
            pushUntilSeen(gateway);
            int before = lines().size();
            gateway.push(envelope("conversation.closed", 1));
            gateway.push(envelope("client.deleted", 2));

            until(() -> lines().stream().anyMatch(line -> line.contains("client.deleted")));
            assertThat(lines().size()).isGreaterThan(before);
            assertThat(lines())
                    .noneMatch(line -> line.contains("conversation"))
                    .allMatch(line -> line.matches("[\\d:.]{12} +\\d+  client\\.\\S+ +default +ent-1 +\\d+ B"));
        }
        assertThat(status.get(30, TimeUnit.SECONDS)).isEqualTo(1);
        assertThat(err.toString(UTF_8)).contains("has ended the stream");
    }

    @Test
    void jsonIsALineAPushAndBodiesComeAlong() throws Exception {
        CompletableFuture<Integer> status;
        try (GatewayUnderTest gateway = GatewayUnderTest.start(new GatewaySettings(), directory)) {
            status = tap(gateway, "--output", "json", "--body");
            pushUntilSeen(gateway);

            JsonObject push = new JsonObject(lines().get(0));
            assertThat(push.getString("event")).isEqualTo("client.created");
            assertThat(push.getString("body")).isNotEmpty();
        }
        assertThat(status.get(30, TimeUnit.SECONDS)).isEqualTo(1);
    }

    @Test
    void whatCannotBeMeantIsUsedWronglyAndNoGatewayIsAFailure() throws Exception {
        try (GatewayUnderTest gateway = GatewayUnderTest.start(new GatewaySettings(), directory)) {
            assertThat(tap(gateway, "--rate", "0").get(30, TimeUnit.SECONDS)).isEqualTo(2);
            assertThat(err.toString(UTF_8)).contains("rate: found 0, expected a whole number from 1 to 10000");
        }
        assertThat(Verb.offline("tap", "--management", "http://127.0.0.1:1").status())
                .isEqualTo(1);
    }
}
