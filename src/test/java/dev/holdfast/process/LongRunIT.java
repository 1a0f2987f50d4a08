package dev.holdfast.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A gateway under load in which everything is changed and asked again and again: what it takes of the machine stays within bounds, and
 * every push arrives.
 */
@Tag("campaign")
@Tag("long-run")
@Timeout(value = 2, unit = TimeUnit.HOURS)
final class LongRunIT {
    private static final Duration LIFE = Campaign.LONG ? Duration.ofMinutes(20) : Duration.ofSeconds(4);
    private static final double RATE = 300;
    private static final int BODY = 600;
    private static final int REPLAY_RATE = 200;
    /** A gateway refuses the ninth, retries included. */
    private static final int MOST_REPLAYS = 6;

    /** With a heap of 256 MiB at most, and some 150 beside it. */
    private static final Footprint MOST = new Footprint(500, 120, 250, 700);

    private static final String CONSUMERS = """
        journal:
          retention: 1m
          max-size: 256MiB
        consumers:
          - {name: archive, events: ["*"], verticle: file, options: {directory: archive, rotate-size: 1MiB}}
          - name: forward
            events: ["*"]
            verticle: http
            concurrency: %d
            order-by: %s
            retry: {first-delay: 20ms, max-delay: 100ms}
            options: {url: "%s"}
        """;
    private static final String SOMETIMES = """
          - {name: sometimes, events: ["conversation.*"], verticle: log, start: latest}
        """;

    /** But for readiness, which is red while a disk takes long. */
    private static final List<String> PAGES = List.of(
            "/",
            "/metrics",
            "/api/v1/audit",
            "/api/v1/consumers",
            "/api/v1/dead-letters?limit=50",
            "/api/v1/discards",
            "/api/v1/endpoints",
            "/api/v1/gateway",
            "/api/v1/ledger",
            "/api/v1/overview",
            "/api/v1/pushes?limit=50",
            "/api/v1/quarantine",
            "/api/v1/replays");

    private final PushClient client = new PushClient();
    private final Operator operator = new Operator();

    @Test
    void takesNoMoreOfTheMachineHoweverLongItLives(@TempDir Path directory) throws Exception {
        Campaign.of("long-run", 1, 1).run((number, random) -> trial(directory.resolve("trial" + number), random));
    }

    private Campaign.Findings trial(Path home, SplittableRandom random) throws Exception {
        try (Downstream downstream = new Downstream(Installation.SECRET);
                Installation installation = new Installation(home)) {
            installation.configure(consumers(0, downstream));
            Child gateway = installation.running();
            Traffic traffic = Traffic.start(gateway.webhook(), Installation.SECRET, RATE, BODY);
            long end = System.nanoTime() + LIFE.toNanos();
            Footprint largest = Footprint.NONE;
            int turns = 0;
            while (System.nanoTime() - end < 0) {
                installation.configure(consumers(++turns, downstream));
                turn(gateway, random);
                largest = largest.max(Footprint.of(gateway, client));
            }
            traffic.stop();
            Await.until("every push is delivered", () -> client.allDelivered(gateway));
            gateway.terminate();
            List<String> complaints = complaints(traffic.sent(), new Archive(home.resolve("archive")));
            if (!largest.isWithin(MOST)) {
                complaints.add("found " + largest + " (expected: no more than " + MOST + ")");
            }
            return new Campaign.Findings(complaints, traffic.sent(), List.of(), turns + " turns, at most " + largest);
        }
    }

    private static String consumers(int turn, Downstream downstream) {
        return CONSUMERS.formatted(8 + turn % 2, LaneKey.ORDER_BY, downstream.url()) + (turn % 3 == 0 ? SOMETIMES : "");
    }

    private void turn(Child gateway, SplittableRandom random) throws Exception {
        if (operator.underWay(gateway) < MOST_REPLAYS) {
            post(gateway, "dead-letters/retry", "{\"all\":true}");
            operator.replay(gateway, DeliveryTrial.FORWARD, "conversation.*", Integer.MAX_VALUE, REPLAY_RATE);
        }
        post(gateway, "consumers/archive/pause", "{}");
        gateway.signal("HUP");
        client.send(
                gateway.webhook(), "another-secret-than-that-of-the-gateway", "client.created", random.nextInt(BODY));
        for (String page : PAGES) {
            assertThat(client.get(gateway.management(page)).statusCode())
                    .as(page)
                    .isEqualTo(200);
        }
        watch(gateway);
        post(gateway, "consumers/archive/resume", "{}");
        post(gateway, "quarantine/verify", "{\"all\":true}");
        post(gateway, "dead-letters/discard", "{\"all\":true,\"reason\":\"a long run\"}");
    }

    private void post(Child gateway, String path, String json) throws Exception {
        URI url = gateway.management("/api/v1/" + path);
        HttpResponse<String> answer = client.post(url, json);
        assertThat(answer.statusCode()).as(path + ": " + answer.body()).isIn(200, 202);
    }

    /** Is gone while there is more to come. */
    private static void watch(Child gateway) throws IOException {
        URI tap = gateway.management("/api/v1/tap?body=true");
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), tap.getPort())) {
            socket.getOutputStream()
                    .write(("GET " + tap.getPath() + "?" + tap.getQuery() + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(socket.getInputStream().read(new byte[4096])).isPositive();
        }
    }

    private static List<String> complaints(List<SentPush> sent, Archive archive) throws IOException {
        List<String> complaints = new ArrayList<>(archive.complaints());
        Set<BodyDigest> archived = new HashSet<>();
        archive.pushes().forEach(push -> archived.add(push.entry().digest()));
        for (SentPush push : sent) {
            if (!push.acknowledged()) {
                complaints.add("failed with " + push.status() + ": " + push);
            } else if (!archived.contains(push.digest())) {
                complaints.add("answered 200, but never handled: " + push);
            }
        }
        return complaints;
    }
}
