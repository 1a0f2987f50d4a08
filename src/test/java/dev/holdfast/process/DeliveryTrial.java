package dev.holdfast.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;

/**
 * A {@link Victim} with an {@code http} consumer besides, and a server behind that, which is one more witness.
 */
final class DeliveryTrial implements AutoCloseable {
    static final String FORWARD = "forward";

    private static final double RATE = 1000;
    private static final int LARGEST_BODY = 1500;

    private final Downstream downstream = new Downstream(Installation.SECRET);
    private final Victim victim;
    private final Operator operator = new Operator();
    private int lives;

    DeliveryTrial(Path directory) throws IOException {
        victim =
                new Victim(directory, directory.resolve("data"), "", """
              - name: forward
                events: ["*"]
                verticle: http
                order-by: %s
                retry: {first-delay: 20ms, max-delay: 100ms}
                options:
                  url: "%s"
            """.formatted(LaneKey.ORDER_BY, downstream.url()));
    }

    Operator operator() {
        return operator;
    }

    Downstream downstream() {
        return downstream;
    }

    Archive archive() {
        return victim.archive();
    }

    void plant(PlantedBug bug) throws IOException {
        bug.plantIn(victim.installation());
    }

    /** The next life. */
    Child begin() throws Exception {
        downstream.begin(Integer.toString(++lives));
        return victim.begin();
    }

    /** Pushes from now on until the end of this life. */
    void load(Child gateway) {
        victim.load(gateway, RATE, ThreadLocalRandom.current().nextInt(LARGEST_BODY));
    }

    /** Waits until so many pushes of this life were answered. */
    void awaitAnswers(int count) throws InterruptedException {
        victim.awaitAnswers(count);
    }

    /** No pushes from now on. */
    void unload() throws InterruptedException {
        victim.unload();
    }

    void kill(Child gateway) throws Exception {
        victim.kill(gateway);
    }

    /** SIGTERM, and a clean end. */
    void terminate(Child gateway) throws Exception {
        victim.terminate(gateway);
    }

    /** Waits until no push is left to deliver on its ordinary way, as the gateway says and the server knows. */
    void awaitDelivery(Child gateway) throws Exception {
        Await.until("every push is delivered", () -> {
            long last = operator.settledAt(gateway);
            return last > 0 && (downstream.decided() >= last || downstream.isQuiet());
        });
    }

    /** What the server behind the http consumer has to say. No gateway may run. */
    ForwardEvidence forwardEvidence(Set<Long> deadLetters) {
        return new ForwardEvidence(victim.sent(), KeptPush.all(victim.data()), downstream.forwarded(), deadLetters);
    }

    /** What the files have to say. No gateway may run. */
    Evidence archiveEvidence() throws IOException {
        return victim.evidence();
    }

    /** Positions up to {@code to} of the pushes of a family. */
    Set<Long> seqs(String family, long to) throws IOException {
        return archive().pushes().stream()
                .filter(push -> push.seq() <= to && push.event().startsWith(family + "."))
                .map(ArchivedPush::seq)
                .collect(Collectors.toSet());
    }

    List<SentPush> sent() {
        return victim.sent();
    }

    /** Pushes a second, while there was load. */
    double rate() {
        return victim.rate();
    }

    @Override
    public void close() throws IOException {
        victim.close();
        downstream.close();
    }
}
