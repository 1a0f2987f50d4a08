package dev.holdfast.fuzz;

import dev.holdfast.gateway.ManagementFuzz;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each target with its seeds, and with the same few changes of them in every build. {@link FuzzCampaign} is the long form. */
@Timeout(120)
class FuzzTest {
    private static final int CHANGES = 4;

    @AfterAll
    static void stop() {
        ManagementFuzz.stop();
    }

    static List<FuzzTarget> targets() {
        return FuzzTarget.all();
    }

    @ParameterizedTest
    @MethodSource("targets")
    void holdsForItsSeedsAndForSmallChangesOfThem(FuzzTarget target) {
        List<byte[]> seeds = target.seeds();
        seeds.forEach(seed -> run(target, seed));
        Random random = new Random(1);
        for (int i = 0; i < target.shortRuns(); i++) {
            run(target, changed(seeds, random));
        }
    }

    private static void run(FuzzTarget target, byte[] input) {
        try {
            target.run().accept(input);
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(target + " with " + HexFormat.of().formatHex(input), e);
        }
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
}
