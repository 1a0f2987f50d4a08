package dev.holdfast.config;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The whole of {@code holdfast.yaml}.
 *
 * @param plugins directory with the jars of the integrator's own consumers; need not exist
 * @param token null: no access token is wanted
 */
public record HoldfastConfig(
        ReceiverConfig receiver,
        JournalConfig journal,
        DeadLettersConfig deadLetters,
        QuarantineConfig quarantine,
        PlatformConfig platform,
        Path plugins,
        List<ConsumerConfig> consumers,
        @Nullable TokenConfig token,
        ManagementConfig management,
        LoggingConfig logging) {

    public HoldfastConfig {
        consumers = List.copyOf(consumers);
    }
}
