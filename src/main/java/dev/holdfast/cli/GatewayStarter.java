package dev.holdfast.cli;

import dev.holdfast.config.HoldfastConfig;
import dev.holdfast.push.PushWatcher;

/** Starts a gateway: handed in from above, so that no verb knows how one is made. */
public interface GatewayStarter {
    /**
     * Starts one and waits until it accepts pushes. Blocks.
     *
     * @throws RuntimeException when it can't, with a message for the operator
     */
    RunningGateway start(HoldfastConfig config, PushWatcher watcher);
}
