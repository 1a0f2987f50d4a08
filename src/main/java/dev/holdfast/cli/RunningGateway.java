package dev.holdfast.cli;

import dev.holdfast.config.HoldfastConfig;

/** A gateway that accepts pushes, as the verbs that start one see it. */
public interface RunningGateway {
    /** The receiver's port. */
    int port();

    /** The management port. */
    int managementPort();

    /** Puts a changed configuration in force as far as that is safe while running: secrets and consumers. Blocks. */
    void reconfigure(HoldfastConfig wanted);

    /** Drains and stops everything in order. Blocks until nothing runs any more. */
    void stop();
}
