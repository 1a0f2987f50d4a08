package dev.holdfast.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ProgressTest {
    private static final String ERASE = "\r\u001b[K";

    private final StringWriter err = new StringWriter();
    private long millis;

    private Progress progress(boolean interactive) {
        return new Progress(
                new PrintWriter(err, true),
                new Terminal(Map.of("COLUMNS", "12"), interactive),
                () -> TimeUnit.MILLISECONDS.toNanos(millis));
    }

    @Test
    void workThatIsSoonDoneSaysNothing() {
        Progress progress = progress(false);
        millis = 9_999;
        progress.show("early");
        progress.end();

        assertThat(err.toString()).isEmpty();
    }

    @Test
    void elsewhereThanOnATerminalItIsALineNowAndThen() {
        Progress progress = progress(false);
        for (millis = 1_000; millis <= 25_000; millis += 1_000) {
            progress.show("at " + millis);
        }
        progress.end();

        assertThat(err.toString().lines()).containsExactly("at 10000", "at 20000");
    }

    @Test
    void onATerminalTheLineRewritesItselfAndIsGoneAtTheEnd() {
        Progress progress = progress(true);
        millis = 200;
        progress.show("as wide as it is");
        millis = 300;
        progress.show("too soon");
        millis = 400;
        progress.show("next");
        progress.end();

        assertThat(err.toString()).startsWith(ERASE + "as wide").endsWith(ERASE + "next" + ERASE);
        assertThat(err.toString()).doesNotContain("too soon", "it is", "\n");
    }
}
