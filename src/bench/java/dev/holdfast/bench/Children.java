package dev.holdfast.bench;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Every process the benchmark starts, so that none outlives it. May be closed by the shutdown hook at any time. */
final class Children implements AutoCloseable {
    private final Set<Process> processes = ConcurrentHashMap.newKeySet();

    Process start(ProcessBuilder command) throws IOException {
        Process process = command.start();
        processes.add(process);
        process.onExit().thenAccept(processes::remove);
        return process;
    }

    /** Asks a process to end, and after 20 seconds makes it. Blocks until it is gone. */
    static void end(Process process) {
        signal(process, "CONT");
        process.destroy();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /** Sends a signal by name, as {@code kill} does; a process that is gone already is no error. */
    static void signal(Process process, String name) {
        try {
            new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new IllegalStateException("kill -" + name + " could not be run", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        for (Process process : processes) {
            process.destroyForcibly();
        }
    }
}
