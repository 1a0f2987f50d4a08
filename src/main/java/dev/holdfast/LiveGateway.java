package dev.holdfast;

import dev.holdfast.config.EffectiveConfig;
import dev.holdfast.journal.DiskState;
import dev.holdfast.management.GatewayControl;
import dev.holdfast.management.LastReload;
import org.jspecify.annotations.Nullable;

/** A gateway's parts, for the management API. */
record LiveGateway(Wiring wired) implements GatewayControl {
    @Override
    public int receiverPort() {
        return wired.receiver.port();
    }

    @Override
    public int managementPort() {
        return wired.management.port();
    }

    @Override
    public DiskState disk() {
        return wired.ladder.state();
    }

    @Override
    public JournalState journal() {
        return new JournalState(wired.journal.firstSeq(), wired.journal.lastSeq(), wired.journal.size());
    }

    @Override
    public String configuration() {
        return EffectiveConfig.render(wired.reload.inForce()).strip();
    }

    @Override
    public @Nullable LastReload lastReload() {
        return wired.reload.last();
    }
}
