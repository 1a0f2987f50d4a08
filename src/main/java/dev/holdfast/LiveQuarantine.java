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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The quarantine and its verification, for the management API. */
record LiveQuarantine(Vertx vertx, Quarantine quarantine, Reverification reverification) implements QuarantineControl {
    private static final Logger LOG = LoggerFactory.getLogger(LiveQuarantine.class);

    @Override
    public <T> Future<List<T>> list(QuarantineFilter filter, int max, Function<QuarantinedRequest, T> part) {
        return vertx.executeBlocking(() -> quarantine.list(filter, max, part), false);
    }

    @Override
    public Future<Verification> verify(QuarantineFilter filter) {
        return vertx.executeBlocking(
                () -> {
                    Reverification.Outcome done = reverification.run(filter);
                    LOG.info(
                            "of quarantined requests {} are pushes now, {} were duplicates, {} don't match and stay, {} stay"
                                    + " because their endpoint is not configured, {} because they could not be stored",
                            done.pushes(),
                            done.duplicates(),
                            done.wrong(),
                            done.unknown(),
                            done.failed());
                    return new Verification(
                            done.pushes(), done.duplicates(), done.wrong(), done.unknown(), done.failed(), done.next());
                },
                false);
    }

    @Override
    public Future<Long> discard(QuarantineFilter filter, String reason) {
        return vertx.executeBlocking(
                () -> {
                    List<Long> ids = quarantine.list(filter, Integer.MAX_VALUE, QuarantinedRequest::id);
                    long discarded = quarantine.remove(ids);
                    LOG.info("{} quarantined requests are discarded: {}", discarded, reason);
                    return discarded;
                },
                false);
    }
}
