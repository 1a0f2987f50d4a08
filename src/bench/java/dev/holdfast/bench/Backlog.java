package dev.holdfast.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.Gateway;
import dev.holdfast.config.ConfigLoader;
import dev.holdfast.config.DeadLettersConfig;
import dev.holdfast.config.HoldfastConfig;
import dev.holdfast.journal.Journal;
import dev.holdfast.journal.JournalException;
import dev.holdfast.journal.LogJournal;
import dev.holdfast.push.EnvelopeReader;
import dev.holdfast.push.PushRecord;
import dev.holdfast.push.PushWatcher;
import dev.holdfast.push.RequestHead;
import dev.holdfast.store.RocksStore;
import dev.holdfast.store.Store;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A journal with pushes in it, and the rate at which a whole gateway delivers them to a new consumer. */
public final class Backlog {
    /** Leads to the lane in the bodies of 3 KB. */
    static final String OWNER = "/client/owner";

    private static final int WAITING = 4096;
    private static final long MAX_SIZE = 50L << 30;

    private final Path directory;
    private int consumers;

    private Backlog(Path directory) {
        this.directory = directory;
    }

    /** What the pushes of a backlog say. */
    public interface Bodies {
        /**
         * The bytes of one push.
         *
         * @param lane also to be the number of the enterprise
         * @param n different for each push
         */
        byte[] body(int lane, int n);
    }

    /**
     * Fills the journal that a gateway has below a directory.
     *
     * @param lanes of how many enterprises the pushes are, in turn
     */
    public static Backlog fill(Path directory, int pushes, int lanes, Bodies bodies) {
        Semaphore waiting = new Semaphore(WAITING);
        Path data = directory.resolve("data");
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        try (Store store = RocksStore.open(data, registry, new DeadLettersConfig(1, Duration.ofDays(1)));
                Journal journal = LogJournal.open(data, MAX_SIZE, store, registry)) {
            for (int n = 0; n < pushes; n++) {
                byte[] body = bodies.body(n % lanes, n);
                PushRecord push = new PushRecord(
                        PushRecord.UNSTORED,
                        "default",
                        EnvelopeReader.read(body),
                        0,
                        new RequestHead("", "application/json", "", ""),
                        body);
                waiting.acquireUninterruptibly();
                journal.append(push, new Release(waiting));
            }
            waiting.acquireUninterruptibly(WAITING);
        }
        return new Backlog(directory);
    }

    private record Release(Semaphore waiting) implements Journal.Outcome {
        @Override
        public void stored(long seq, boolean duplicate) {
            waiting.release();
        }

        @Override
        public void failed(JournalException cause) {
            throw new IllegalStateException("the journal can't be filled", cause);
        }
    }

    /** 1 KB, like a small conversation. */
    public static byte[] small(int lane, int n) {
        return body(lane, n, "\"text\":\"" + "x".repeat(880) + "\"");
    }

    /** 3 KB in many fields, in whose middle {@link #OWNER} leads to the lane's number. */
    static byte[] rich(int lane, int n) {
        String fields = IntStream.range(0, 36)
                .mapToObj(i -> "{\"name\":\"field " + i + "\",\"value\":\"as entered\"}")
                .collect(Collectors.joining(","));
        return body(lane, n, "\"first\":[" + fields + "],\"owner\":\"agent " + lane + "\",\"second\":[" + fields + "]");
    }

    private static byte[] body(int lane, int n, String client) {
        return ("{\"id\":\"sub_ent-" + lane + "_1700000000\",\"event\":\"client.created\",\"enterprise_token\":\"ent-"
                        + lane + "\",\"created_at\":1700000000,\"client\":{\"n\":" + n + "," + client + "}}")
                .getBytes(UTF_8);
    }

    /** Deliveries acknowledged per second by a consumer that starts with the oldest push. */
    double deliver(int count, String verticle, String options) throws IOException {
        return deliver(count, verticle, options, "");
    }

    /** @param orderBy a pointer, or empty */
    double deliver(int count, String verticle, String options, String orderBy) throws IOException {
        Stopwatch watch = new Stopwatch(count);
        PushWatcher watcher = new PushWatcher() {
            @Override
            public void handled(PushRecord push, String consumer) {
                watch.tick();
            }
        };
        Gateway gateway = Gateway.start(config(verticle, options, orderBy), watcher, stop -> {});
        try {
            return watch.await();
        } finally {
            gateway.stop();
        }
    }

    private HoldfastConfig config(String verticle, String options, String orderBy) throws IOException {
        Path file = Files.writeString(directory.resolve("holdfast.yaml"), """
                receiver: {host: 127.0.0.1, port: 0, drain-delay: 0s, endpoints: [{name: default, path: /, secrets: [%s]}]}
                journal: {directory: "%s", reserve: 0B}
                management: {port: 0}
                consumers: [{name: new-%d, events: ["*"], verticle: %s, order-by: [%s], options: {%s}}]
                """.formatted(
                        BenchSettings.SECRET, directory.resolve("data"), consumers++, verticle, orderBy, options));
        return ConfigLoader.read(file, Map.of()).config();
    }
}
