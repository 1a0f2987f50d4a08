package dev.holdfast.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.HeldPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
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
    private static final int BACKLOG = 1_000;

    /** Two receivers, two management ports, the balancer. */
    private final List<HeldPort> ports = Stream.generate(HeldPort::new).limit(5).toList();

    @TempDir
    Path directory;

    @AfterEach
    void giveUpPorts() {
        ports.forEach(HeldPort::close);
    }

    /** Red as where their disks fill at once, silent as on machines that are too busy. */
    @Test
    void noPushFailsWhereBothGatewaysAcceptAndAreRedOrAnswerNoCheck() throws Exception {
        assumeTrue(isInstalled(), "found no haproxy, expected it from the distribution's packages");
        try (Victim one = gateway(directory.resolve("one"), 0);
                Victim two = gateway(directory.resolve("two"), 1)) {
            for (Victim gateway : List.of(one, two)) {
                gateway.installation().edit("journal:\n", "journal:\n  reserve: 1000000GiB\n");
                Child begun = gateway.beginUnder(List.of());
                Await.until("pushes are accepted", () -> begun.output().contains("accepting pushes"));
            }
            String redOnly = guide(port(2), port(3))
                    .replaceAll("(?m)^.* backup$", "")
                    .replace("timeout check 2s", "timeout check 60s");
            try (Child balancer = balancer(directory, redOnly)) {
                awaitNoneReady(balancer);
                assertNoPushFails(balancer);
            }
            try (ServerSocket silent = silent();
                    ServerSocket alsoSilent = silent();
                    Child unanswered = balancer(directory, guide(silent.getLocalPort(), alsoSilent.getLocalPort()))) {
                Await.until(
                        "no check was answered",
                        () -> List.of("red/one is DOWN", "red/two is DOWN").stream()
                                .allMatch(unanswered.output()::contains));
                assertNoPushFails(unanswered);
            }
        }
    }

    /** Connections to it are made, and nothing is said in them. */
    private static ServerSocket silent() throws IOException {
        return new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
    }

    private void assertNoPushFails(Child balancer) throws InterruptedException {
        Traffic traffic = Traffic.start(webhook(), Installation.SECRET, RATE, 500);
        traffic.awaitAnswers(ANSWERS_BETWEEN);
        traffic.stop();

        assertThat(traffic.sent())
                .as("%s; the balancer: %s", traffic.unanswered(), balancer.output())
                .allMatch(SentPush::acknowledged);
    }

    private static void awaitNoneReady(Child balancer) {
        Await.until(
                "the balancer has found none ready",
                () -> balancer.output().contains("backend 'holdfast' has no server available"));
    }

    private URI webhook() {
        return URI.create("http://127.0.0.1:" + port(4) + "/webhook");
    }

    @Test
    void noPushFailsWhileTwoGatewaysAreRestartedInTurn() throws Exception {
        assumeTrue(isInstalled(), "found no haproxy, expected it from the distribution's packages");
        Campaign.of("rolling-restarts", 1, 10).run((number, random) -> trial(directory.resolve("trial" + number)));
    }

    private Campaign.Findings trial(Path home) throws Exception {
        try (Victim one = gateway(home.resolve("one"), 0);
                Victim two = gateway(home.resolve("two"), 1);
                Child balancer = balancer(home, guide(port(2), port(3)))) {
            List<Victim> gateways = List.of(one, two);
            awaitNoneReady(balancer);
            List<Child> running = new ArrayList<>(List.of(one.begin(), two.begin()));
            Await.until("the balancer has found both", () -> found(balancer, 0) > 0 && found(balancer, 1) > 0);
            Traffic traffic = Traffic.start(webhook(), Installation.SECRET, RATE, 500);
            for (int restart = 0; restart < RESTARTS; restart++) {
                int turn = restart % 2;
                traffic.awaitAnswers(traffic.sent().size() + ANSWERS_BETWEEN);
                gateways.get(turn).terminate(running.get(turn));
                long before = found(balancer, turn);
                running.set(turn, gateways.get(turn).begin());
                Await.until("the balancer has found it", () -> found(balancer, turn) > before);
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

    /** How often the balancer has found a gateway ready that was not. */
    private static long found(Child balancer, int gateway) {
        String line = "holdfast/" + (gateway == 0 ? "one" : "two") + " is UP";
        return balancer.output().lines().filter(found -> found.contains(line)).count();
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
        victim.installation().edit("127.0.0.1\n  port: 0", "127.0.0.1\n  port: " + port(number));
        victim.installation().edit("management:\n  port: 0", "management:\n  port: " + port(2 + number));
        victim.installation().edit("drain-delay: 0s", "drain-delay: 2s");
        return victim;
    }

    private static Child balancer(Path home, String configuration) throws IOException {
        Path file = Files.writeString(home.resolve("haproxy.cfg"), configuration);
        return Child.start(home, Map.of(), List.of("haproxy", "-db", "-f", file.toString()));
    }

    /** The guide's configuration, with shorter times; the balancer asks at these ports whether the gateways are ready. */
    private String guide(int one, int two) throws IOException {
        String guide = Files.readString(Path.of("src/site/markdown/operating.md"));
        int begin = guide.indexOf("defaults\n  mode http");
        return guide.substring(begin, guide.indexOf("```", begin))
                .replace("bind :8080", "bind 127.0.0.1:" + port(4))
                .replace("10.0.0.1:8080", "127.0.0.1:" + port(0))
                .replace("10.0.0.2:8080", "127.0.0.1:" + port(1))
                .replaceAll("(?m)^(.* one .*) 8081$", "$1 " + one)
                .replaceAll("(?m)^(.* two .*) 8081$", "$1 " + two)
                .replace("inter 1s", "inter 200ms");
    }

    private int port(int place) {
        return ports.get(place).number();
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
