package dev.holdfast.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.config.ConfigFuzz;
import dev.holdfast.gateway.ManagementFuzz;
import dev.holdfast.journal.SegmentFuzz;
import dev.holdfast.push.EnvelopeFuzz;
import dev.holdfast.receiver.SignatureFuzz;
import java.nio.charset.Charset;
import java.util.List;
import java.util.function.Consumer;

/**
 * Something that is fuzzed.
 *
 * @param type has a public static {@code fuzzerTestOneInput(byte[])}
 * @param run that method: fails with an {@link Error} or an exception for an input that it does not hold for
 * @param shortRuns how many changed seeds every build tries
 */
record FuzzTarget(String name, Class<?> type, Consumer<byte[]> run, List<byte[]> seeds, int shortRuns) {
    static List<FuzzTarget> all() {
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

    @Override
    public String toString() {
        return name;
    }
}
