package dev.holdfast.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.config.ConfigFuzz;
import dev.holdfast.gateway.ManagementFuzz;
import dev.holdfast.journal.SegmentFuzz;
import dev.holdfast.push.EnvelopeFuzz;
import dev.holdfast.receiver.SignatureFuzz;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Something that is fuzzed.
 *
 * @param type has a public static {@code fuzzerTestOneInput(byte[])}
 * @param run that method: fails with an {@link Error} or an exception for an input that it does not hold for
 * @param shortRuns how many changed seeds every build tries
 */
public record FuzzTarget(String name, Class<?> type, Consumer<byte[]> run, List<byte[]> seeds, int shortRuns) {
    private static final int CHANGES = 4;

    public static List<FuzzTarget> all() {
        return List.of(
                new FuzzTarget(
                        "envelope",
                        EnvelopeFuzz.class,
                        EnvelopeFuzz::fuzzerTestOneInput,
                        seeds(EnvelopeFuzz.seeds(), UTF_8),
                        2000),
                new FuzzTarget(
                        "signature",
                        SignatureFuzz.class,
                        SignatureFuzz::fuzzerTestOneInput,
                        seeds(SignatureFuzz.seeds(), ISO_8859_1),
                        2000),
                new FuzzTarget(
                        "config",
                        ConfigFuzz.class,
                        ConfigFuzz::fuzzerTestOneInput,
                        seeds(ConfigFuzz.seeds(), UTF_8),
                        200),
                new FuzzTarget(
                        "segment",
                        SegmentFuzz.class,
                        SegmentFuzz::fuzzerTestOneInput,
                        seeds(SegmentFuzz.seeds(), ISO_8859_1),
                        300),
                new FuzzTarget(
                        "management",
                        ManagementFuzz.class,
                        ManagementFuzz::fuzzerTestOneInput,
                        seeds(ManagementFuzz.seeds(), ISO_8859_1),
                        300));
    }

    private static List<byte[]> seeds(List<String> seeds, Charset charset) {
        return seeds.stream().map(seed -> seed.getBytes(charset)).toList();
    }

    /** What every build tries: the seeds, and always the same changes of them. */
    public Stream<byte[]> shortInputs() {
        Random random = new Random(1);
        return Stream.concat(
                seeds.stream(), Stream.generate(() -> changed(seeds, random)).limit(shortRuns));
    }

    private static byte[] changed(List<byte[]> seeds, Random random) {
        byte[] input = seeds.get(random.nextInt(seeds.size())).clone();
        for (int i = random.nextInt(CHANGES); i >= 0 && input.length > 0; i--) {
            int at = random.nextInt(input.length);
            switch (random.nextInt(4)) {
                case 0 -> input[at] = (byte) random.nextInt(256);
                case 1 -> input[at] ^= (byte) (1 << random.nextInt(8));
                case 2 -> input = Arrays.copyOf(input, at);
                default -> {
                    byte[] other = seeds.get(random.nextInt(seeds.size()));
                    int from = random.nextInt(other.length + 1);
                    int length = Math.min(other.length - from, input.length - at);
                    System.arraycopy(other, from, input, at, length);
                }
            }
        }
        return input;
    }

    @Override
    public String toString() {
        return name;
    }
}
