package dev.holdfast.process;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An installation that lives again and again, mostly under load, with a {@code file} consumer. The witnesses of all its lives are outside
 * of it: what was sent and answered, and the consumer's files.
 */
final class Victim implements AutoCloseable {
    private static final String ARCHIVE = """
        consumers:
          - name: archive
            events: ["*"]
            verticle: file
            order-by: %s
            options:
              directory: archive
              rotate-size: 256KiB
              rotate-age: 2s
        """;

    private final List<SentPush> sent = new ArrayList<>();
    private final List<Duration> recoveries = new ArrayList<>();
    private final Installation installation;
    private final Path data;
    private final Archive archive;
    private final PushClient client = new PushClient();
    private boolean hasLived;
    private long loadedSince;
    private long loadedNanos;
    private @Nullable Traffic traffic;

    /** Its journal is where {@link Installation#configure} has it by default. */
    Victim(Path directory) throws IOException {
        this(directory, directory.resolve("data"), "", "");
    }

    /**
     * @param data the journal's directory
     * @param journal more lines of that section, indented
     * @param consumers more of them, indented
     */
    Victim(Path directory, Path data, String journal, String consumers) throws IOException {
        this.installation = new Installation(directory);
        this.data = data;
        this.archive = new Archive(directory.resolve("archive"));
        installation.configure("journal:\n  directory: \"" + data + "\"\n" + journal
                + ARCHIVE.formatted(LaneKey.ORDER_BY) + consumers);
    }

    Installation installation() {
        return installation;
    }

    Path data() {
        return data;
    }

    Archive archive() {
        return archive;
    }

    PushClient client() {
        return client;
    }

    /** The next life, which accepts pushes. */
    Child begin(String... program) throws Exception {
        Child gateway = beginUnder(List.of(program));
        Duration took = gateway.awaitReady();
        if (hasLived) {
            recoveries.add(took);
        }
        hasLived = true;
        return gateway;
    }

    /** The next life under another program, which may not let it become ready. */
    Child beginUnder(List<String> program) throws IOException {
        return installation.startUnder(program, "run");
    }

    /** Pushes from now on until {@link #unload}. */
    Traffic load(Child gateway, double rate, int bodySize) {
        Traffic begun = Traffic.start(gateway.webhook(), Installation.SECRET, rate, bodySize);
        traffic = begun;
        loadedSince = System.nanoTime();
        return begun;
    }

    /** Waits until so many pushes of this life were answered. */
    void awaitAnswers(int count) throws InterruptedException {
        Objects.requireNonNull(traffic, "nothing is answered without load").awaitAnswers(count);
    }

    /** No pushes from now on. */
    void unload() throws InterruptedException {
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
        gateway.terminate();
        unload();
        archive.endOfLife();
    }

    /** The last life, in peace: until every push is delivered. */
    void finish() throws Exception {
        Child gateway = begin();
        Await.until("every push is delivered", () -> client.allDelivered(gateway));
        terminate(gateway);
    }

    /** What contradicts the promises; no gateway may run, and {@link #finish} has been. */
    List<String> complaints() throws IOException {
        List<String> complaints = new ArrayList<>(archive.complaints());
        complaints.addAll(evidence().complaints());
        return complaints;
    }

    Evidence evidence() throws IOException {
        return new Evidence(
                sent(),
                KeptPush.all(data),
                archive.pushes().stream().map(ArchivedPush::entry).toList());
    }

    /** By the load, and by the {@link #client}. */
    List<SentPush> sent() {
        List<SentPush> all = new ArrayList<>(sent);
        all.addAll(client.sent());
        return all;
    }

    /** How long it took after each life but the first until pushes were accepted again. */
    List<Duration> recoveries() {
        return List.copyOf(recoveries);
    }

    /** Pushes a second, while there was load. */
    double rate() {
        return sent.size() * 1e9 / loadedNanos;
    }

    Campaign.Findings findings(String note) throws IOException {
        return new Campaign.Findings(complaints(), sent(), recoveries(), note);
    }

    @Override
    public void close() {
        installation.close();
    }
}
