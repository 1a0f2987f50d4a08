package dev.holdfast.bench;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What can be set from outside, as system properties that begin with {@code bench.}; the profile in the pom passes them
 * on and holds the defaults' twins. {@link #jvm()} is the one place where the servers' heap, collector and event loops
 * are decided: all of them get the same.
 *
 * @param rounds measured rounds of each server
 * @param seconds length of a round; a warm-up lasts as many as it takes
 * @param servers which of {@code a}, {@code b}, {@code c} take part, in turn
 * @param prefill pushes in the journal before a second comparison, full against empty; 0: none
 * @param rate pushes a second while a forwarder has an outage, and while it has none
 * @param backlog pushes that are behind when its server comes back
 * @param profile event for async-profiler on server (c), such as {@code cpu}; null: none
 * @param jvm flags of every server's JVM
 * @param jar the executable jar
 * @param classes where the compiled yardstick servers are
 * @param script the client's Lua script
 * @param output the directory for results; everything else made in it is removed at the end
 */
record BenchSettings(
        int rounds,
        int seconds,
        List<String> servers,
        long prefill,
        int rate,
        int backlog,
        @Nullable String profile,
        List<String> jvm,
        Path jar,
        Path classes,
        Path script,
        Path output) {
    static final int CONNECTIONS = 128;
    static final int CLIENT_THREADS = 2;
    static final int BODY_BYTES = 3072;
    /** Of the pushes that fill a journal. */
    static final int SMALL_BODY_BYTES = 300;

    static final String SECRET = "bench-only-8f2c41d07be94a6f9d35";
    /** Of the C library, for each server alike: as the operator's guide advises. */
    static final String MALLOC_ARENAS = "2";

    private static final String JVM = "-Xms256m -Xmx256m -XX:+UseParallelGC";

    BenchSettings {
        if (rounds < 1 || seconds < 1 || prefill < 0 || rate < 1 || backlog < 1) {
            throw new IllegalArgumentException("found bench.rounds=" + rounds + ", bench.seconds=" + seconds
                    + ", bench.prefill=" + prefill + ", bench.rate=" + rate + ", bench.backlog=" + backlog
                    + "; expected at least 1, 1, 0, 1, 1");
        }
        for (String server : servers) {
            if (!List.of("a", "b", "c").contains(server)) {
                throw new IllegalArgumentException(
                        "found \"" + server + "\" in bench.servers; expected a, b or c, separated by commas");
            }
        }
    }

    static BenchSettings fromSystemProperties() {
        String profile = text("bench.profile", "");
        return new BenchSettings(
                Integer.parseInt(text("bench.rounds", "5")),
                Integer.parseInt(text("bench.seconds", "8")),
                List.of(text("bench.servers", "a,b,c").split(",")),
                Long.parseLong(text("bench.prefill", "0")),
                Integer.parseInt(text("bench.rate", "3000")),
                Integer.parseInt(text("bench.backlog", "100000")),
                profile.isEmpty() ? null : profile,
                List.of(text("bench.jvm", JVM).split(" ")),
                path("bench.jar", "target/holdfast.jar"),
                path("bench.classes", "target/test-classes"),
                path("bench.script", "src/bench/wrk.lua"),
                path("bench.output", "target/bench"));
    }

    private static Path path(String key, String otherwise) {
        return Path.of(text(key, otherwise)).toAbsolutePath();
    }

    /** An empty value is the same as none: Maven passes on what nobody set as empty. */
    private static String text(String key, String otherwise) {
        String value = System.getProperty(key, "");
        return value.isBlank() ? otherwise : value.strip();
    }
}
