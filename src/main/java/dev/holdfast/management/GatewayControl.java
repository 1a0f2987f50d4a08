package dev.holdfast.management;

import org.jspecify.annotations.Nullable;

/** What the API asks of the gateway as a whole, on a worker thread. */
public interface GatewayControl {
    /** The port that pushes come to. */
    int receiverPort();

    /** The port of this API. */
    int managementPort();

    /** The configuration in force, a line a key, secrets masked. */
    String configuration();

    /** Null before the first one. */
    @Nullable
    LastReload lastReload();
}
