package dev.holdfast.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which settings fit which memory. */
class HeapPlanTest {
    private static final long MIB = 1 << 20;

    @TempDir
    Path directory;

    private HoldfastConfig config(String receiver) throws IOException {
        return config(receiver, 2);
    }

    private HoldfastConfig config(String receiver, int consumers) throws IOException {
        Path file = Files.writeString(
                directory.resolve("holdfast.yaml"),
                """
                receiver:
                  endpoints: [{name: default, path: /webhook, secrets: [0123456789abcdef-strong]}]
                """ + receiver + "consumers:\n"
                        + IntStream.rangeClosed(1, consumers)
                                .mapToObj(number -> "  - {name: c" + number + ", events: [\"*\"], verticle: log}\n")
                                .collect(Collectors.joining()));
        return ConfigLoader.read(file, Map.of()).config();
    }

    private static HeapPlan heap(long mebibytes) {
        return new HeapPlan(mebibytes * MIB, mebibytes * MIB);
    }

    /** Survivor spaces that move make Java's own figure move. */
    @Test
    void thatOfTheProcessStaysWhatItWasFirst() {
        assertThat(HeapPlan.ofProcess()).isSameAs(HeapPlan.ofProcess());
    }

    @Test
    void anEighthOfTheHeapMayBeInFlightUnlessThatIsLessThanABodyOrMoreThanIsOfUse() {
        assertThat(heap(256).maxInFlight(8 * MIB)).isEqualTo(32 * MIB);
        assertThat(heap(4096).maxInFlight(8 * MIB)).isEqualTo(128 * MIB);
        assertThat(heap(64).maxInFlight(32 * MIB)).isEqualTo(32 * MIB);
    }

    @Test
    void whatMayBeInMemoryAtOnceIsToldWithItsParts() throws IOException {
        HoldfastConfig config = config("  max-in-flight: 128MiB\n");

        assertThat(heap(1024).complaint(config)).isEmpty();
        assertThat(heap(256).complaint(config))
                .hasValue("memory: found a heap of 256MiB, expected at least 403MiB (20MiB for the program, 256MiB"
                        + " for receiver.max-in-flight, counted twice because large arrays waste room, 24MiB for 3 bodies of receiver.max-body, 3MiB for the quarantine, 32MiB for connections and"
                        + " what delivery takes over, 68MiB for delivery to consumers, 2): set -Xmx608m, or lower"
                        + " receiver.max-in-flight or receiver.max-body");
    }

    @Test
    void whatIsAdvisedInsteadOfALargerHeapIsEnoughByItself() throws IOException {
        assertThat(heap(256).complaint(config("  max-in-flight: 32MiB\n", 200)).orElseThrow())
                .endsWith("6800MiB for delivery to consumers, 200): set -Xmx10416m, or have at most 3 consumers");
        assertThat(heap(256).complaint(config("  max-in-flight: 32MiB\n", 3))).isEmpty();
        assertThat(heap(256).complaint(config("  max-in-flight: 128MiB\n", 200)).orElseThrow())
                .endsWith(", or have fewer consumers and lower receiver.max-in-flight or receiver.max-body");
    }

    /** The shares for delivery grow with the heap up to 256 MiB. */
    @Test
    void theHeapThatIsAdvisedIsEnough() throws IOException {
        HoldfastConfig config = config("  max-in-flight: 16MiB\n", 10);
        for (long small : new long[] {48, 64, 128, 256}) {
            String complaint = heap(small).complaint(config).orElseThrow();
            long advised = Long.parseLong(complaint.replaceAll(".*-Xmx(\\d+)m.*", "$1"));

            assertThat(heap(advised).complaint(config)).as(complaint).isEmpty();
        }
    }

    @Test
    void theStreamsOfHttp2AreAPartWhereItIsOn() throws IOException {
        assertThat(heap(256).complaint(config("  max-in-flight: 32MiB\n  http2: true\n")))
                .isEmpty();
        assertThat(heap(256).streams()).isEqualTo(16 << 20);
        assertThat(heap(128).complaint(config("  http2: true\n")).orElseThrow())
                .contains("8MiB for the streams of HTTP/2");
    }

    @Test
    void buffersBesideTheHeapHaveToFitToo() throws IOException {
        assertThat(new HeapPlan(1024 * MIB, 16 * MIB).complaint(config("  max-body: 4MiB\n")))
                .hasValue("memory: found 16MiB for direct buffers, expected at least 24MiB (16MiB for the network, 8MiB"
                        + " for 2 bodies of receiver.max-body): set -XX:MaxDirectMemorySize=24m, or lower"
                        + " receiver.max-body");
    }
}
