package dev.holdfast.cli;

import dev.holdfast.config.HoldfastConfig;
import dev.holdfast.push.PushWatcher;
import java.util.function.Consumer;

/** Starts a gateway: handed in from above, so that no verb knows how one is made. */
public interface GatewayStarter {
    /**
     * Starts one and waits until it accepts pushes. Blocks.
     *
     * @param opening told just before the port opens, by what the gateway is to be stopped from then on: that waits until
     *     the start is over, and drains
     * @throws RuntimeException when it can't, with a message for the operator
     */
    RunningGateway start(HoldfastConfig config, PushWatcher watcher, Consumer<Runnable> opening);
}
