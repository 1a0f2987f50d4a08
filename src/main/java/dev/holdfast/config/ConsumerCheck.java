package dev.holdfast.config;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * Checks a consumer as far as that goes without starting it. Handed in from above, so that this package knows no
 * consumer.
 */
public interface ConsumerCheck {
    /** Finds nothing wrong. */
    ConsumerCheck NONE = (consumer, endpoints, plugins, files) -> {};

    /**
     * Returns if all is well, as far as it can be told.
     *
     * @param endpoints where pushes come from
     * @param plugins directory with jars
     * @param files gets each file that the options name and that the consumer depends on, before it is read
     * @throws OptionMistake when one of its options can't be used
     * @throws IllegalArgumentException when its class can't be used
     */
    void check(ConsumerConfig consumer, List<EndpointConfig> endpoints, Path plugins, Consumer<Path> files);
}
