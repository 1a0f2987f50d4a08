package dev.holdfast.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A process of its own with what it writes. Closing it kills it, if it still runs. */
final class Child implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofMinutes(3);
    /** In the masks of /proc; whoever runs these tests may have them ignored. */
    private static final Map<String, Long> BITS = Map.of("HUP", 0b1L, "INT", 0b10L);

    private static final Pattern READY =
            Pattern.compile("accepting pushes on \\S+:(\\d+), management on \\S+:(\\d+), (\\d+) push(?:es)?");

    private final Process process;
    private final long started;
    private final Output out;
    private final Output err;
    private Map<String, String> stopped = Map.of();
    private int port;
    private int managementPort;

    private Child(Process process, long started) {
        this.process = process;
        this.started = started;
        this.out = Output.of(process.getInputStream());
        this.err = Output.of(process.getErrorStream());
    }

    /** @param environment in place of every variable of this process that is meant for Holdfast */
    static Child start(Path directory, Map<String, String> environment, List<String> command) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(directory.toFile()).redirectInput(new File("/dev/null"));
        builder.environment().keySet().removeIf(name -> name.startsWith("HOLDFAST_"));
        builder.environment().putAll(environment);
        long started = System.nanoTime();
        return new Child(builder.start(), started);
    }

    /** Waits until it accepts pushes; returns how long that took from the start of the process. */
    Duration awaitReady() throws InterruptedException {
        Matcher ready = err.await(READY, TIMEOUT);
        Duration took = Duration.ofNanos(System.nanoTime() - started);
        port = Integer.parseInt(ready.group(1));
        managementPort = Integer.parseInt(ready.group(2));
        return took;
    }

    /** Waits for so long at most until it accepts pushes or has ended; whether it accepts pushes. */
    boolean awaitReadyOrEnd(int millis) throws InterruptedException {
        Matcher ready = err.awaitOrEnd(READY, Duration.ofMillis(millis));
        if (ready != null) {
            port = Integer.parseInt(ready.group(1));
            managementPort = Integer.parseInt(ready.group(2));
        }
        return ready != null;
    }

    /**
     * Whether a tracer holds one of its threads at a system call: that thread was stopped when this was asked before, and has not run since.
     * Each call that is traced stops a thread for a moment.
     */
    boolean isHeld() throws IOException {
        Map<String, String> before = stopped;
        stopped = stoppedThreads();
        return stopped.entrySet().stream().anyMatch(thread -> thread.getValue().equals(before.get(thread.getKey())));
    }

    /** The threads that a tracer has stopped, each with how often it had run and run no more. */
    private Map<String, String> stoppedThreads() throws IOException {
        Map<String, String> found = new HashMap<>();
        File[] threads = new File("/proc/" + process.pid() + "/task").listFiles();
        for (File thread : threads == null ? new File[0] : threads) {
            List<String> status = lines(thread.toPath().resolve("status"));
            if (status.stream().anyMatch(line -> line.startsWith("State:\tt"))) {
                found.put(
                        thread.getName(),
                        status.stream()
                                .filter(line -> line.contains("ctxt_switches"))
                                .collect(Collectors.joining()));
            }
        }
        return found;
    }

    private static List<String> lines(Path status) throws IOException {
        try {
            return Files.readAllLines(status);
        } catch (NoSuchFileException ended) {
            return List.of();
        } catch (IOException e) {
            // The kernel's word for a thread that ends while it is looked at.
            if (String.valueOf(e.getMessage()).contains("No such process")) {
                return List.of();
            }
            throw e;
        }
    }

    /** Where pushes go, once it is ready. */
    URI webhook() {
        return URI.create("http://127.0.0.1:" + port + "/webhook");
    }

    /** A path of the management port, once it is ready. */
    URI management(String path) {
        return URI.create("http://127.0.0.1:" + managementPort + path);
    }

    Output out() {
        return out;
    }

    Output err() {
        return err;
    }

    /** Both streams. */
    String output() {
        return out.text() + "\n" + err.text();
    }

    /** Waits for a line on standard error. */
    Matcher awaitLog(String pattern) throws InterruptedException {
        return err.await(Pattern.compile(pattern), TIMEOUT);
    }

    /** Sends a signal by its name, e.g. {@code TERM}. */
    void signal(String name) throws IOException, InterruptedException {
        assumeFalse(
                ignores(name),
                "SIG" + name
                        + " is ignored by whatever runs these tests, as in a script's background or under nohup, and so by"
                        + " its children");
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .inheritIO()
                .start();
        if (kill.waitFor() != 0) {
            throw new AssertionError("kill -" + name + " failed; the child wrote:\n" + output());
        }
    }

    /** Java leaves these ignored when they were so at its start. */
    private boolean ignores(String name) throws IOException {
        String ignored = status("SigIgn:");
        return !ignored.isEmpty() && (Long.parseUnsignedLong(ignored, 16) & BITS.getOrDefault(name, 0L)) != 0;
    }

    /** What the kernel says of the process; empty when it is gone. */
    private String status(String field) throws IOException {
        Path status = Path.of("/proc", Long.toString(process.pid()), "status");
        if (!Files.exists(status)) {
            return "";
        }
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith(field))
                .map(line -> line.substring(field.length()).strip())
                .findFirst()
                .orElse("");
    }

    /** SIGTERM, and a clean end. */
    void terminate() throws IOException, InterruptedException {
        signal("TERM");
        assertThat(awaitExit()).as(output()).isZero();
    }

    /** SIGKILL: no hook runs, nothing is flushed. Waits until the process is gone. */
    void kill() throws IOException, InterruptedException {
        String tracer = status("TracerPid:");
        process.destroyForcibly();
        if (!tracer.isEmpty() && !tracer.equals("0")) {
            // Dead threads are there until their tracer has seen them, which strace may not before a delay is over.
            ProcessHandle.of(Long.parseLong(tracer)).ifPresent(ProcessHandle::destroyForcibly);
        }
        process.waitFor();
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** The exit status, once it has ended by itself and all it wrote is here. */
    int awaitExit() throws InterruptedException {
        if (!process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("the child has not ended within " + TIMEOUT + "; it wrote:\n" + output());
        }
        out.awaitEnd(TIMEOUT);
        err.awaitEnd(TIMEOUT);
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
