package dev.holdfast.simulator;

import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Which faults occur and how often.
 *
 * @param kinds each as likely as the other; empty: every push is healthy
 * @param rate the part of all pushes that bear one of the faults, 0 to 1
 */
public record Faults(List<Fault> kinds, double rate) {
    public Faults {
        kinds = kinds.stream().distinct().toList();
        if (!(rate >= 0 && rate <= 1)) {
            throw new IllegalArgumentException("fault rate: " + rate + " (expected: 0 to 1)");
        }
    }

    /** No fault ever. */
    public static Faults none() {
        return new Faults(List.of(), 0);
    }

    @Nullable
    Fault draw(RandomGenerator random) {
        if (kinds.isEmpty() || random.nextDouble() >= rate) {
            return null;
        }
        return kinds.get(random.nextInt(kinds.size()));
    }
}
