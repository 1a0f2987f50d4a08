package dev.holdfast;

import dev.holdfast.delivery.Delivery;
import dev.holdfast.journal.PushFilter;
import dev.holdfast.journal.Replay;
import dev.holdfast.management.PushControl;
import dev.holdfast.push.PushRecord;
import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The delivery's pushes and replays, for the management API. */
record LivePushes(Delivery delivery) implements PushControl {
    @Override
    public Future<List<PushRecord>> list(PushFilter filter, int max) {
        return delivery.pushes(filter, max);
    }

    @Override
    public Future<Long> count(PushFilter filter) {
        return delivery.countPushes(filter);
    }

    @Override
    public Future<Replay> replay(PushFilter filter, @Nullable String consumer, int rate) {
        return delivery.replay(filter, consumer, rate);
    }

    @Override
    public List<Replay> replays() {
        return delivery.replays();
    }

    @Override
    public Future<Boolean> stopReplay(String id) {
        return delivery.stopReplay(id);
    }
}
