package dev.holdfast.management;

import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the API asks of the gateway as a whole, on a worker thread.
 *
 * @param receiverPort the port that pushes come to
 * @param managementPort the port of this API
 * @param configuration the last one that was accepted, one line for each key, secrets masked
 * @param lastReload null before the first one
 */
public record GatewayControl(
        IntSupplier receiverPort,
        IntSupplier managementPort,
        Supplier<String> configuration,
        Supplier<@Nullable LastReload> lastReload) {}
