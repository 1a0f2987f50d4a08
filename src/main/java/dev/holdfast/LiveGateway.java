package dev.holdfast;

import dev.holdfast.config.EffectiveConfig;
import dev.holdfast.management.GatewayControl;
import dev.holdfast.management.LastReload;
import dev.holdfast.receiver.Receiver;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A gateway's parts, for the management API. */
record LiveGateway(Receiver receiver, Supplier<Reload> reload, IntSupplier managed) implements GatewayControl {
    @Override
    public int receiverPort() {
        return receiver.port();
    }

    @Override
    public int managementPort() {
        return managed.getAsInt();
    }

    @Override
    public String configuration() {
        return EffectiveConfig.render(reload.get().inForce()).strip();
    }

    @Override
    public @Nullable LastReload lastReload() {
        return reload.get().last();
    }
}
