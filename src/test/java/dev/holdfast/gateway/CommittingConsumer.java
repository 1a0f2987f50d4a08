package dev.holdfast.gateway;

import dev.holdfast.consumer.PushConsumer;
import dev.holdfast.push.Push;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Supplier;

/** A consumer that commits many pushes at once, the way a database's would; what it has committed outlives it. */
public class CommittingConsumer extends PushConsumer {
    static final List<List<Long>> COMMITTED = new CopyOnWriteArrayList<>();
    static volatile Supplier<Future<?>> handling = Future::succeededFuture;
    static volatile Function<List<Long>, Future<?>> outcome = some -> Future.succeededFuture();

    private final List<Long> handled = new ArrayList<>();

    public CommittingConsumer() {}

    @Override
    protected Future<?> handle(Push push) {
        handled.add(push.seq());
        return handling.get();
    }

    @Override
    protected Future<?> commit() {
        List<Long> some = List.copyOf(handled);
        handled.clear();
        return outcome.apply(some).map(done -> COMMITTED.add(some));
    }

    /** Succeeds after a while. */
    static Future<?> later(long millis) {
        return Vertx.currentContext().owner().timer(millis);
    }
}
