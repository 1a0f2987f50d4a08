package dev.holdfast.logging;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
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
    }

    @Test
    void behindADroppedLineAllAreDroppedUntilTheirNumberIsTold() throws Exception {
        CountDownLatch writing = new CountDownLatch(1);
        CompletableFuture<Void> read = new CompletableFuture<>();
        LineWriter lines = new LineWriter(
                new FilterOutputStream(out) {
                    @Override
                    public void write(byte[] bytes, int from, int count) throws IOException {
                        writing.countDown();
                        read.join();
                        out.write(bytes, from, count);
                    }
                },
                count -> (count + " dropped\n").getBytes(US_ASCII));
        lines.add("one\n".getBytes(US_ASCII), true);
        writing.await();
        String most = "x".repeat(LineWriter.LONGEST - 3) + "\n";

        for (String line : List.of(most, most, "five\n", "six\n")) {
            lines.add(line.getBytes(US_ASCII), false);
        }
        read.complete(null);
        lines.flush(10_000);

        assertThat(out.toString(US_ASCII)).isEqualTo("one\n" + most + most + "2 dropped\n");
    }

    /** Refuses while it is full what is beyond a few bytes, as a disk does. */
    private static final class SmallDisk extends OutputStream {
        private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
        private volatile boolean full = true;

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int count) throws IOException {
            kept.write(bytes, from, full ? Math.min(count, 4 - Math.min(4, kept.size())) : count);
            if (full) {
                throw new IOException("No space left on device");
            }
        }
    }

    @Test
    void linesThatAFullDiskRefusesAreCountedInTheirPlaceOnceItTakesSomeAgain() {
        SmallDisk disk = new SmallDisk();
        LineWriter lines = new LineWriter(disk, count -> (count + " dropped\n").getBytes(US_ASCII));
        for (String line : List.of("one, at length\n", "two\n", "three\n")) {
            lines.add(line.getBytes(US_ASCII), false);
            lines.flush(10_000);
        }
        disk.full = false;

        lines.add("four\n".getBytes(US_ASCII), false);
        lines.flush(10_000);

        assertThat(disk.kept.toString(US_ASCII)).isEqualTo("one,\n3 dropped\nfour\n");
    }

    /** Java takes native memory for a write of many bytes. */
    @Test
    void aWriteForWhichThereIsNoMemoryCostsItsLinesAndNoLaterOnes() {
        AtomicBoolean hasNone = new AtomicBoolean(true);
        LineWriter lines = new LineWriter(
                new FilterOutputStream(out) {
                    @Override
                    public void write(byte[] bytes, int from, int count) throws IOException {
                        if (hasNone.getAndSet(false)) {
                            throw new OutOfMemoryError("of the test");
                        }
                        out.write(bytes, from, count);
                    }
                },
                count -> (count + " dropped\n").getBytes(US_ASCII));
        lines.add("one\n".getBytes(US_ASCII), false);
        lines.flush(10_000);

        lines.add("two\n".getBytes(US_ASCII), false);
        lines.flush(10_000);

        assertThat(out.toString(US_ASCII)).isEqualTo("\n1 dropped\ntwo\n");
    }
}
