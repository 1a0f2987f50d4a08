package dev.holdfast.token;

import dev.holdfast.consumer.AccessToken;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Those who asked for a token and have no answer yet. On the token's context. */
final class PendingRequests {
    /** Less than the bus waits: its own failure would not tell the token's state. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(20);

    private final Timing timing;
    private final List<Promise<AccessToken>> waiting = new ArrayList<>();

    PendingRequests(Timing timing) {
        this.timing = timing;
    }

    /** @param why what it fails with when there is no answer for too long */
    Future<AccessToken> add(Supplier<String> why) {
        Promise<AccessToken> asking = Promise.promise();
        waiting.add(asking);
        Runnable cancel = timing.after(LONGEST_WAIT, () -> {
            waiting.remove(asking);
            asking.fail(why.get());
        });
        return asking.future().andThen((token, failure) -> cancel.run());
    }

    /** Answers all of them with a token, or, where there is none, with a failure that says why. */
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
