package dev.holdfast.fuzz;

import dev.holdfast.gateway.ManagementFuzz;
import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each target with its seeds, and with the same few changes of them in every build. {@link FuzzCampaign} is the long form. */
@Timeout(120)
class FuzzTest {
    @AfterAll
    static void stop() throws IOException {
        ManagementFuzz.stop();
    }

    static List<FuzzTarget> targets() {
        return FuzzTarget.all();
    }

    @ParameterizedTest
    @MethodSource("targets")
    void holdsForItsSeedsAndForSmallChangesOfThem(FuzzTarget target) {
        target.shortInputs().forEach(input -> run(target, input));
    }

    private static void run(FuzzTarget target, byte[] input) {
        try {
            target.run().accept(input);
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(target + " with " + HexFormat.of().formatHex(input), e);
        }
    }
}
