package dev.holdfast.config;

import java.nio.file.Path;
import java.util.List;

/**
 * The whole of {@code holdfast.yaml}.
 *
 * @param plugins directory with the jars of the integrator's own consumers; need not exist
 */
public record HoldfastConfig(
        ReceiverConfig receiver,
        JournalConfig journal,
        PlatformConfig platform,
        Path plugins,
        List<ConsumerConfig> consumers,
        ManagementConfig management) {

    public HoldfastConfig {
        consumers = List.copyOf(consumers);
    }
}
