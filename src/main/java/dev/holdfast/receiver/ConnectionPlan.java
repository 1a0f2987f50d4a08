package dev.holdfast.receiver;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.config.HeapPlan;
import dev.holdfast.config.ManagementConfig;
import dev.holdfast.disk.Descriptors;
import java.util.List;

/**
 * How many connections the receiver may have, so that neither the journal lacks descriptors nor a push memory.
 *
 * @param most at once
 * @param reason which figures tell so, for the log
 */
public record ConnectionPlan(int most, String reason) {
    /** For the token's requests, configuration files and what else is open for a moment. */
    private static final int OTHERS = 16;

    /** Beside a connection for each push that it has under way. */
    private static final int A_CONSUMER = 8;

    private static final int FEWEST = 16;

    /**
     * For a port that is opened when all else is, or stays open beside other consumers.
     *
     * @param descriptors just before the port is opened
     * @throws IllegalStateException when hardly any connection would be left
     */
    public static ConnectionPlan of(Descriptors descriptors, HeapPlan heap, List<ConsumerConfig> consumers) {
        long ofConsumers = consumers.stream()
                .mapToLong(one -> A_CONSUMER + one.concurrency())
                .sum();
        long reserve = descriptors.journal() + ManagementConfig.MOST_CONNECTIONS + OTHERS + ofConsumers;
        long left = descriptors.limit() - descriptors.used() - reserve;
        if (left < FEWEST) {
            throw new IllegalStateException("descriptors: found a limit of " + descriptors.limit()
                    + ", expected at least " + (descriptors.used() + reserve + FEWEST) * 4 / 3 + " ("
                    + descriptors.used() + " are open, " + reserve + " more may be needed for the journal, "
                    + "management and consumers, and at least " + FEWEST + " for connections): set ulimit -n");
        }
        return left < heap.connections()
                ? new ConnectionPlan(
                        (int) left,
                        "of " + descriptors.limit() + " descriptors (ulimit -n) " + descriptors.used()
                                + " are open and " + reserve + " reserved")
                : new ConnectionPlan(
                        heap.connections(), "a heap of " + (heap.heap() >> 20) + "MiB has no room for more");
    }
}
