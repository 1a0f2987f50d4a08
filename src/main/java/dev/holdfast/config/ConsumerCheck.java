package dev.holdfast.config;

import java.nio.file.Path;
import java.util.List;

/** Looks at a consumer as far as that goes without starting it. Handed in from above: no consumer is known here. */
public interface ConsumerCheck {
    /** Finds nothing wrong. */
    ConsumerCheck NONE = (consumer, endpoints, plugins) -> {};

    /**
     * Does nothing when all is well, as far as it can be told.
     *
     * @param endpoints where pushes come from
     * @param plugins directory with jars
     * @throws OptionMistake when one of its options can't be used
     * @throws IllegalArgumentException when its class can't
     */
    void check(ConsumerConfig consumer, List<EndpointConfig> endpoints, Path plugins);
}
