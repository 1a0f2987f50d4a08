package dev.holdfast.process;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.HeldPort;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two gateways behind HAProxy, set up as the guide says, that are restarted in turn under load: not one push fails, as the platform
 * sees it, and each is kept and delivered by one of them.
 */
@Tag("campaign")
@Tag("rolling-restarts")
final class RollingRestartIT {
    private static final double RATE = 200;
    private static final int RESTARTS = Campaign.LONG ? 10 : 2;
    private static final int ANSWERS_BETWEEN = 100;

    /** The guide's (operating.md), with shorter times: {@code %d} are the ports that it has for pushes and of each gateway. */
    private static final String BALANCER = """
            defaults
              mode http
              timeout connect 1s
              timeout client 30s
              timeout server 30s
              timeout check 2s

            frontend webhook
              bind 127.0.0.1:%d
              default_backend holdfast

            backend holdfast
              option httpchk GET /readyz
              default-server check inter 200ms fall 2 rise 2
              server one 127.0.0.1:%d port %d
              server two 127.0.0.1:%d port %d
            """;

    /** Two receivers, two management ports, the balancer. */
    private final List<HeldPort> ports = Stream.generate(HeldPort::new).limit(5).toList();

    @TempDir
    Path directory;

    @AfterEach
    void giveUpPorts() {
        ports.forEach(HeldPort::close);
    }

    @Test
    void noPushFailsWhileTwoGatewaysAreRestartedInTurn() throws Exception {
        assumeTrue(isInstalled(), "found no haproxy, expected it from the distribution's packages");
        Campaign.of("rolling-restarts", 1, 10).run((number, random) -> trial(directory.resolve("trial" + number)));
    }

    private Campaign.Findings trial(Path home) throws Exception {
        try (Victim one = gateway(home.resolve("one"), 0);
                Victim two = gateway(home.resolve("two"), 1);
                Child balancer = balancer(home)) {
            List<Victim> gateways = List.of(one, two);
            List<Child> running = new ArrayList<>(List.of(one.begin(), two.begin()));
            URI webhook = URI.create("http://127.0.0.1:" + ports.get(4).number() + "/webhook");
            Await.until("the balancer has found both", () -> balancer.output().split("is UP").length > 2);
            Traffic traffic = Traffic.start(webhook, Installation.SECRET, RATE, 500);
            for (int restart = 0; restart < RESTARTS; restart++) {
                int turn = restart % 2;
                traffic.awaitAnswers(traffic.sent().size() + ANSWERS_BETWEEN);
                gateways.get(turn).terminate(running.get(turn));
                int before = balancer.output().split("is UP").length;
                running.set(turn, gateways.get(turn).begin());
                Await.until("the balancer has found it", () -> balancer.output().split("is UP").length > before);
            }
            traffic.awaitAnswers(traffic.sent().size() + ANSWERS_BETWEEN);
            traffic.stop();
            for (int i = 0; i < gateways.size(); i++) {
                Victim gateway = gateways.get(i);
                Child last = running.get(i);
                Await.until("every push is delivered", () -> gateway.client().allDelivered(last));
                gateway.terminate(last);
            }
            List<Duration> recoveries = new ArrayList<>(one.recoveries());
            recoveries.addAll(two.recoveries());
            return new Campaign.Findings(
                    complaints(traffic.sent(), gateways, balancer.output()),
                    traffic.sent(),
                    recoveries,
                    RESTARTS + " restarts, p99 " + traffic.percentile(99).toMillis() + " ms");
        }
    }

    private static List<String> complaints(List<SentPush> sent, List<Victim> gateways, String balancer)
            throws IOException {
        List<String> complaints = new ArrayList<>();
        Set<BodyDigest> kept = new HashSet<>();
        Set<BodyDigest> delivered = new HashSet<>();
        for (Victim gateway : gateways) {
            complaints.addAll(gateway.archive().complaints());
            KeptPush.all(gateway.data()).forEach(push -> kept.add(push.digest()));
            gateway.archive()
                    .pushes()
                    .forEach(push -> delivered.add(push.entry().digest()));
        }
        for (SentPush push : sent) {
            if (!push.acknowledged()) {
                complaints.add("failed with " + push.status() + ": " + push + "; the balancer: " + balancer);
            } else if (!kept.contains(push.digest())) {
                complaints.add("answered 200, but not kept: " + push);
            } else if (!delivered.contains(push.digest())) {
                complaints.add("kept, but not delivered: " + push);
            }
        }
        return complaints;
    }

    /** On ports that stay, and with a delay in which the balancer notices that it stops. */
    private Victim gateway(Path home, int number) throws IOException {
        Victim victim = new Victim(home);
        victim.installation()
                .edit(
                        "127.0.0.1\n  port: 0",
                        "127.0.0.1\n  port: " + ports.get(number).number());
        victim.installation()
                .edit(
                        "management:\n  port: 0",
                        "management:\n  port: " + ports.get(2 + number).number());
        victim.installation().edit("drain-delay: 0s", "drain-delay: 2s");
        return victim;
    }

    private Child balancer(Path home) throws IOException {
        Path configuration = Files.writeString(
                home.resolve("haproxy.cfg"),
                BALANCER.formatted(Stream.of(4, 0, 2, 1, 3)
                        .map(place -> ports.get(place).number())
                        .toArray()));
        return Child.start(home, Map.of(), List.of("haproxy", "-db", "-f", configuration.toString()));
    }

    private static boolean isInstalled() throws InterruptedException {
        try {
            return new ProcessBuilder("haproxy", "-v")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
