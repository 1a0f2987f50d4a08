package dev.holdfast.cli.terminal;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** How large the terminal of this process is, in characters. */
record TerminalSize(int rows, int columns) {
    private static final TerminalSize USUAL = new TerminalSize(24, 80);
    private static final int SECONDS = 2;

    /** What {@code stty} says of it; 24 rows of 80 where it says nothing. */
    static TerminalSize measure() {
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(new File("/dev/tty"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!stty.waitFor(SECONDS, TimeUnit.SECONDS)) {
                stty.destroyForcibly();
                return USUAL;
            }
            return of(new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII));
        } catch (IOException e) {
            return USUAL;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return USUAL;
        }
    }

    /** A serial line's terminal has no size: 0 0. */
    static TerminalSize of(String said) {
        String line = said.strip();
        if (!line.matches("[1-9]\\d{0,4} [1-9]\\d{0,4}")) {
            return USUAL;
        }
        String[] numbers = line.split(" ", 2);
        return new TerminalSize(Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]));
    }
}
