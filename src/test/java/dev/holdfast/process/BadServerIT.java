package dev.holdfast.process;

import dev.holdfast.gateway.FaultyReceiver;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Puts a network of the worst kind between an {@code http} consumer and its server, under load: the receiver takes every push meanwhile, and
 * all of them reach the server when the network is well again.
 */
@Tag("campaign")
@Tag("bad-consumers")
final class BadServerIT {
    private static final double RATE = 300;
    private static final int PUSHES = Campaign.LONG ? 6000 : 900;

    @TempDir
    Path directory;

    @Test
    void whateverTheNetworkDoesPushesAreTakenAndDelivered() throws Exception {
        Campaign.of("bad-consumers", 1, 20).run((number, random) -> trial(directory.resolve("trial" + number), random));
    }

    private static Campaign.Findings trial(Path home, SplittableRandom random) throws Exception {
        Set<BodyDigest> received = ConcurrentHashMap.newKeySet();
        FaultyReceiver.Behaviour taking = (request, connection) -> {
            received.add(BodyDigest.of(request.body().getBytes()));
            FaultyReceiver.always(FaultyReceiver.OK).answer(request, connection);
        };
        try (FaultyReceiver server = new FaultyReceiver(taking);
                FaultProxy proxy = new FaultProxy(URI.create(server.url()).getPort(), random);
                Victim victim = new Victim(home, home.resolve("data"), "", forward(proxy))) {
            Child gateway = victim.begin();
            Traffic traffic = victim.load(gateway, RATE, random.nextInt(5000));
            traffic.awaitAnswers(PUSHES);
            victim.unload();
            proxy.calm();
            Await.until("every push is delivered", () -> victim.client().allDelivered(gateway));
            victim.terminate(gateway);

            List<String> complaints = new ArrayList<>(victim.complaints());
            Set<BodyDigest> sent = ConcurrentHashMap.newKeySet();
            for (SentPush push : victim.sent()) {
                sent.add(push.digest());
                if (push.status() != 200) {
                    complaints.add("answered " + push.status() + " while the consumer's network was bad: " + push);
                } else if (!received.contains(push.digest())) {
                    complaints.add("answered 200, but the server never got it: " + push);
                }
            }
            received.stream()
                    .filter(digest -> !sent.contains(digest))
                    .forEach(digest -> complaints.add("never sent, but forwarded: " + digest));
            return new Campaign.Findings(
                    complaints,
                    victim.sent(),
                    List.of(),
                    "p99 " + traffic.percentile(99).toMillis() + " ms");
        }
    }

    private static String forward(FaultProxy proxy) {
        return """
              - name: forward
                events: ["*"]
                verticle: http
                retry: {first-delay: 20ms, max-delay: 100ms}
                options:
                  url: "http://127.0.0.1:%d/webhook"
                  request-timeout: 1s
            """.formatted(proxy.port());
    }
}
