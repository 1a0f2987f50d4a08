package dev.holdfast.cli;

import dev.holdfast.config.HoldfastConfig;
import dev.holdfast.push.PushWatcher;
import java.util.function.Consumer;

/** Starts a gateway: handed in from above, so that no verb knows how one is made. */
public interface GatewayStarter {
    /**
     * Starts one and waits until it accepts pushes. Blocks.
     *
     * @param opening called just before the port opens, with what stops the gateway from then on: it waits until the
     *     start is over, and drains
     * @throws RuntimeException when the gateway can't be started, with a message for the operator
     */
    RunningGateway start(HoldfastConfig config, PushWatcher watcher, Consumer<Runnable> opening);
}
