package dev.holdfast.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A server under measurement, as the kernel sees it. What it prints goes to a file: that is part of its cost. */
final class ServerProcess implements AutoCloseable {
    /** The kernel counts processor time for user space in hundredths of a second, whatever its own clock is. */
    private static final long MICROS_PER_TICK = 10_000;

    private static final Pattern COMPILER = Pattern.compile("\\(C[12] Compiler");

    private final Process process;
    private final Path log;

    ServerProcess(Children children, List<String> command, Path directory) throws IOException {
        this.log = directory.resolve("stdout.log");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put("HOLDFAST_SECRET", BenchSettings.SECRET);
        builder.environment().put("MALLOC_ARENA_MAX", BenchSettings.MALLOC_ARENAS);
        this.process = children.start(builder);
    }

    void mustLive() {
        if (!process.isAlive()) {
            throw new IllegalStateException("found the server ended with status " + process.exitValue()
                    + ", expected it running; the end of what it said:\n" + lastWords());
        }
    }

    /** Holds the process still, so that another one has the machine to itself. */
    void pause() {
        Children.signal(process, "STOP");
    }

    void resume() {
        Children.signal(process, "CONT");
    }

    /** Processor time used so far, user and system, all threads, in microseconds; grain 10 ms. */
    long cpuMicros() {
        return cpuMicros(read("stat"));
    }

    /** What of it the just-in-time compilers have used. */
    long compilerMicros() {
        mustLive();
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(process.pid()), "task"))) {
            return threads.map(ServerProcess::stat)
                    .filter(stat -> COMPILER.matcher(stat).find())
                    .mapToLong(ServerProcess::cpuMicros)
                    .sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Empty for a thread that has ended meanwhile. */
    private static String stat(Path thread) {
        try {
            return Files.readString(thread.resolve("stat"));
        } catch (IOException e) {
            return "";
        }
    }

    private static long cpuMicros(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * MICROS_PER_TICK;
    }

    /** Resident memory now, MiB. */
    long residentMiB() {
        return read("status")
                .lines()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024)
                .findFirst()
                .orElseThrow();
    }

    private String read(String file) {
        mustLive();
        try {
            return Files.readString(Path.of("/proc", Long.toString(process.pid()), file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String lastWords() {
        try {
            List<String> lines = Files.readAllLines(log);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()));
        } catch (IOException e) {
            return "(" + log + " can't be read: " + e.getMessage() + ")";
        }
    }

    /** Ends it at once, as a loss of power does but for the disk. Blocks until it is gone. */
    void kill() {
        try {
            process.destroyForcibly().waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        Children.end(process);
    }
}
