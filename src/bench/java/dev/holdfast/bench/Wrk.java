package dev.holdfast.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The client. Each run sends bodies that no other run of this harness has sent. */
final class Wrk {
    private final BenchSettings settings;
    private final Children children;
    private int runs;

    Wrk(BenchSettings settings, Children children) {
        this.settings = settings;
        this.children = children;
    }

    /**
     * What came of one run.
     *
     * @param acknowledged answered with exactly {@code 200}
     * @param refused answered with anything else
     * @param lost not answered
     * @param micros how long it took
     * @param p50 microseconds
     * @param p99 microseconds
     */
    record Load(long acknowledged, long refused, long lost, long micros, long p50, long p99) {
        double rate() {
            return acknowledged * 1e6 / micros;
        }
    }

    void mustBeInstalled() {
        try {
            Process process = new ProcessBuilder("wrk", "-v")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            process.waitFor();
        } catch (IOException e) {
            throw new IllegalStateException(
                    "found no wrk on the PATH, expected the distribution's package (apt-get install wrk)", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Blocks for {@code seconds}, and until the last answers are in. Bodies have {@code bodyBytes}. */
    Load run(Contender contender, int seconds, int bodyBytes) {
        List<String> command = List.of(
                "wrk",
                "--threads=" + BenchSettings.CLIENT_THREADS,
                "--connections=" + BenchSettings.CONNECTIONS,
                "--duration=" + seconds + "s",
                "--latency",
                "--script=" + settings.script(),
                "http://127.0.0.1:" + contender.port() + "/webhook",
                "--",
                BenchSettings.SECRET,
                Integer.toString(runs++),
                Integer.toString(bodyBytes));
        Load load = parse(output(command, seconds + 30));
        contender.acknowledge(load.acknowledged());
        return load;
    }

    private String output(List<String> command, int atMostSeconds) {
        try {
            Process process = children.start(new ProcessBuilder(command).redirectErrorStream(true));
            CompletableFuture.delayedExecutor(atMostSeconds, TimeUnit.SECONDS).execute(process::destroyForcibly);
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            process.waitFor();
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while wrk was running", e);
        }
    }

    private static Load parse(String output) {
        String result = output.lines()
                .filter(line -> line.startsWith("result "))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalStateException("found no result from wrk, expected one; it said:\n" + output));
        Map<String, Long> fields = new HashMap<>();
        for (String field : result.substring("result ".length()).split(" ")) {
            String[] pair = field.split("=");
            fields.put(pair[0], Long.valueOf(pair[1]));
        }
        return new Load(
                value(fields, "acknowledged"),
                value(fields, "refused"),
                value(fields, "lost"),
                value(fields, "micros"),
                value(fields, "p50"),
                value(fields, "p99"));
    }

    private static long value(Map<String, Long> fields, String name) {
        Long value = fields.get(name);
        if (value == null) {
            throw new IllegalStateException("found no " + name + " in wrk's result, expected one: " + fields);
        }
        return value;
    }
}
