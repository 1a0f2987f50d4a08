package dev.holdfast.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program of the machine's that a test needs done. */
final class Command {
    private Command() {}

    /** Runs it to its end, and gives what it wrote; fails with that unless it ends with status 0. */
    static String execute(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.onExit().orTimeout(60, TimeUnit.SECONDS).join().exitValue())
                .as(List.of(command) + ": " + output)
                .isZero();
        return output;
    }
}
