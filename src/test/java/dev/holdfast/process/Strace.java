package dev.holdfast.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Faults at system calls, made by strace: the command that a gateway is started under. The gateway stays this process's child; the tracer
 * is a bystander. Calls are counted by each thread for itself.
 */
final class Strace {
    private Strace() {}

    /** Why this machine can't have it; empty when it can. */
    static String obstacle() throws InterruptedException {
        try {
            Process trial = new ProcessBuilder("strace", "-f", "--seccomp-bpf", "-e", "trace=fdatasync", "true")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return trial.waitFor(30, TimeUnit.SECONDS) && trial.exitValue() == 0 ? "" : "strace can't trace here";
        } catch (IOException e) {
            return "strace is not installed: " + e.getMessage();
        }
    }

    /**
     * The command. What is opened and closed is in the trace too: it tells which file a name stands for.
     *
     * @param trace where the calls and what was done to them is written
     * @param calls e.g. {@code fsync,fdatasync}
     * @param files absolute; calls that concern no other file are not looked at. Empty: all are
     * @param fault e.g. {@code error=EIO:when=3}
     */
    static List<String> inject(Path trace, String calls, List<Path> files, String fault) {
        List<String> command = new ArrayList<>(List.of("strace", "-D", "-f", "-q", "-y", "--seccomp-bpf"));
        command.addAll(List.of("-o", trace.toString(), "-e", "trace=" + calls + ",openat,close"));
        files.forEach(file -> command.addAll(List.of("-P", file.toString())));
        command.addAll(List.of("-e", "inject=" + calls + ":" + fault));
        return command;
    }

    /** How many calls have had their fault, as far as the trace tells. */
    static long injected(Path trace) throws IOException {
        if (!Files.exists(trace)) {
            return 0;
        }
        return Files.readAllLines(trace).stream()
                .filter(line -> line.contains("(INJECTED"))
                .count();
    }
}
