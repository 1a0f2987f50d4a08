package dev.holdfast.token;

import dev.holdfast.consumer.AccessToken;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Requests for a token on the bus that have no answer yet. On the token's context. */
final class PendingRequests {
    /** Shorter than the bus's own timeout, whose failure would not name the token's state. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(20);

    private final Timing timing;
    private final List<Promise<AccessToken>> waiting = new ArrayList<>();

    PendingRequests(Timing timing) {
        this.timing = timing;
    }

    /** @param why gives the message of the failure when there is no answer for too long */
    Future<AccessToken> add(Supplier<String> why) {
        Promise<AccessToken> asking = Promise.promise();
        waiting.add(asking);
        Runnable cancel = timing.after(LONGEST_WAIT, () -> {
            waiting.remove(asking);
            asking.fail(why.get());
        });
        return asking.future().andThen((token, failure) -> cancel.run());
    }

    /** Answers all requests with a token or, if there is none, with a failure that says why. */
    void answer(@Nullable AccessToken token, String why) {
        List<Promise<AccessToken>> asking = List.copyOf(waiting);
        waiting.clear();
        for (Promise<AccessToken> one : asking) {
            if (token != null) {
                one.complete(token);
            } else {
                one.fail(why);
            }
        }
    }
}
