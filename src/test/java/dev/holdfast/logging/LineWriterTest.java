package dev.holdfast.logging;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class LineWriterTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private String written(String... added) {
        LineWriter lines = new LineWriter(out, count -> (count + " dropped\n").getBytes(US_ASCII));
        for (String line : added) {
            lines.add(line.getBytes(US_ASCII), false);
        }
        lines.flush(10_000);
        lines.close();
        return out.toString(US_ASCII);
    }

    @Test
    void aLineThatIsTooLongIsCutAndCostsNoOther() {
        String cut = "x".repeat(LineWriter.LONGEST - 1) + "\n";

        assertThat(written("before\n", "x".repeat(LineWriter.ROOM) + "\n", "after\n"))
                .isEqualTo("before\n" + cut + "after\n");
    }

    @Test
    void aLineThatIsAsLongAsOneMayBeIsWhole() {
        String longest = "x".repeat(LineWriter.LONGEST - 1) + "\n";

        assertThat(written(longest)).isEqualTo(longest);
    }

    @Test
    void anInterruptedThreadWaitsForItsLinesAsWell() {
        LineWriter lines = new LineWriter(out, count -> new byte[0]);
        lines.add("before\n".getBytes(US_ASCII), false);
        Thread.currentThread().interrupt();

        lines.flush(10_000);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(out.toString(US_ASCII)).isEqualTo("before\n");
        lines.close();
    }
}
