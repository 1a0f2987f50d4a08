package dev.holdfast.cli;

import dev.holdfast.config.ConfigListener;

/** A gateway that accepts pushes, as the verbs that start one see it. */
public interface RunningGateway {
    /** The receiver's port. */
    int port();

    /** The management port. */
    int managementPort();

    /** Puts changed configurations in force, as far as that is possible while running. */
    ConfigListener reload();

    /** Drains and stops everything in order. Blocks until nothing runs any more. */
    void stop();
}
