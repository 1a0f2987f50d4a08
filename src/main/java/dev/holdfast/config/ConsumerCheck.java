package dev.holdfast.config;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** Looks at a consumer as far as that goes without starting it. Handed in from above: no consumer is known here. */
public interface ConsumerCheck {
    /** Finds nothing wrong. */
    ConsumerCheck NONE = (consumer, endpoints, plugins, files) -> {};

    /**
     * Does nothing when all is well, as far as it can be told.
     *
     * @param endpoints where pushes come from
     * @param plugins directory with jars
     * @param files told of each file that the options name and that the consumer is judged by, before it is looked into
     * @throws OptionMistake when one of its options can't be used
     * @throws IllegalArgumentException when its class can't
     */
    void check(ConsumerConfig consumer, List<EndpointConfig> endpoints, Path plugins, Consumer<Path> files);
}
