package dev.holdfast;

import dev.holdfast.management.QuarantineControl;
import dev.holdfast.receiver.Reverification;
import dev.holdfast.store.Quarantine;
import dev.holdfast.store.QuarantineFilter;
import dev.holdfast.store.QuarantinedRequest;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.function.Function;

/** The quarantine and its verification, for the management API. */
record LiveQuarantine(Vertx vertx, Quarantine quarantine, Reverification reverification) implements QuarantineControl {
    @Override
    public <T> Future<List<T>> list(QuarantineFilter filter, int max, Function<QuarantinedRequest, T> part) {
        return vertx.executeBlocking(() -> quarantine.newest(filter, max, part), false);
    }

    @Override
    public Future<Verification> verify(QuarantineFilter filter, boolean dryRun) {
        return vertx.executeBlocking(
                () -> {
                    Reverification.Outcome done = reverification.run(filter, dryRun);
                    return new Verification(
                            done.pushes(), done.duplicates(), done.wrong(), done.unknown(), done.failed(), done.next());
                },
                false);
    }

    @Override
    public Future<Long> count(QuarantineFilter filter) {
        return vertx.executeBlocking(() -> (long) ids(filter).size(), false);
    }

    @Override
    public Future<Long> discard(QuarantineFilter filter) {
        return vertx.executeBlocking(() -> quarantine.remove(ids(filter)), false);
    }

    private List<Long> ids(QuarantineFilter filter) {
        return quarantine.list(filter, Integer.MAX_VALUE, QuarantinedRequest::id);
    }
}
