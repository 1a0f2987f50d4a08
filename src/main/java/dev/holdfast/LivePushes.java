package dev.holdfast;

import dev.holdfast.delivery.Delivery;
import dev.holdfast.journal.PushFilter;
import dev.holdfast.journal.PushSearch;
import dev.holdfast.journal.Replay;
import dev.holdfast.journal.ReplayState;
import dev.holdfast.management.PushControl;
import dev.holdfast.push.PushRecord;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The pushes in the journal and their replays, for the management API. */
record LivePushes(Vertx vertx, PushSearch pushes, Delivery delivery) implements PushControl {
    @Override
    public Future<List<PushRecord>> list(PushFilter filter, int max) {
        return vertx.executeBlocking(() -> pushes.list(filter, max), false);
    }

    @Override
    public Future<Long> count(PushFilter filter) {
        return vertx.executeBlocking(() -> pushes.count(filter), false);
    }

    @Override
    public Future<Replay> replay(PushFilter filter, @Nullable String consumer, int rate) {
        return delivery.replays().start(filter, consumer, rate);
    }

    @Override
    public Future<List<ReplayState>> replays() {
        return delivery.replays().states();
    }

    @Override
    public Future<Boolean> stopReplay(String id) {
        return delivery.replays().stop(id);
    }
}
