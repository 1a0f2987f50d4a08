package dev.holdfast.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An installation with an {@code http} and a {@code file} consumer, which lives again and again, mostly under load. The
 * witnesses of all its lives are here.
 */
final class Trial implements AutoCloseable {
    static final String FORWARD = "forward";

    private static final double RATE = 1500;
    private static final int LARGEST_BODY = 1500;

    private final Vertx vertx = Vertx.vertx();
    private final List<SentPush> sent = new ArrayList<>();
    private final Downstream downstream = new Downstream(Installation.SECRET);
    private final Installation installation;
    private final Archive archive;
    private final Operator operator;
    private int lives;
    private long loadedSince;
    private long loadedNanos;
    private @Nullable Traffic traffic;

    Trial(Path directory) throws IOException {
        installation = new Installation(directory);
        archive = new Archive(installation.path("archive"));
        operator = new Operator(installation);
        installation.configure("""
                consumers:
                  - name: forward
                    events: ["*"]
                    verticle: http
                    order-by: %1$s
                    retry: {first-delay: 20ms, max-delay: 100ms}
                    options:
                      url: "%2$s"
                  - name: archive
                    events: ["*"]
                    verticle: file
                    order-by: %1$s
                    options:
                      directory: archive
                      rotate-size: 256KiB
                      rotate-age: 2s
                """.formatted(LaneKey.ORDER_BY, downstream.url()));
    }

    Operator operator() {
        return operator;
    }

    Downstream downstream() {
        return downstream;
    }

    Archive archive() {
        return archive;
    }

    /** The next life. */
    Child begin() throws Exception {
        downstream.begin(Integer.toString(++lives));
        Child gateway = installation.run();
        gateway.awaitReady();
        return gateway;
    }

    /** Pushes from now on until the end of this life. */
    void load(Child gateway) {
        int size = ThreadLocalRandom.current().nextInt(LARGEST_BODY);
        traffic = Traffic.start(vertx, gateway.webhook(), Installation.SECRET, RATE, size);
        loadedSince = System.nanoTime();
    }

    /** Waits until so many pushes of this life were answered. */
    void awaitAnswers(int count) throws InterruptedException {
        Objects.requireNonNull(traffic, "nothing is answered without load").awaitAnswers(count);
    }

    /** No pushes from now on. */
    void unload() throws Exception {
        if (traffic != null) {
            loadedNanos += System.nanoTime() - loadedSince;
            traffic.stop();
            sent.addAll(traffic.sent());
            traffic = null;
        }
    }

    void kill(Child gateway) throws Exception {
        gateway.kill();
        unload();
        archive.endOfLife();
    }

    /** SIGTERM, and a clean end. */
    void terminate(Child gateway) throws Exception {
        gateway.signal("TERM");
        assertThat(gateway.awaitExit()).isZero();
        unload();
        archive.endOfLife();
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
        return new ForwardEvidence(sent, kept(), downstream.forwarded(), deadLetters);
    }

    /** What the files have to say. No gateway may run. */
    Evidence archiveEvidence() throws IOException {
        return new Evidence(
                sent, kept(), archive.pushes().stream().map(ArchivedPush::entry).toList());
    }

    /** Positions up to {@code to} of the pushes of a family. */
    Set<Long> seqs(String family, long to) throws IOException {
        return archive.pushes().stream()
                .filter(push -> push.seq() <= to && push.event().startsWith(family + "."))
                .map(ArchivedPush::seq)
                .collect(Collectors.toSet());
    }

    List<SentPush> sent() {
        return List.copyOf(sent);
    }

    /** Pushes a second, while there was load. */
    double rate() {
        return sent.size() * 1e9 / loadedNanos;
    }

    private List<KeptPush> kept() {
        return KeptPush.all(installation.path("data"));
    }

    @Override
    public void close() throws IOException {
        installation.close();
        downstream.close();
        vertx.close().await();
    }
}
