package dev.holdfast.token;

import dev.holdfast.consumer.AccessToken;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Those who asked for a token and have no answer yet. On the token's context. */
final class PendingRequests {
    private final List<Promise<AccessToken>> waiting = new ArrayList<>();

    Future<AccessToken> add() {
        Promise<AccessToken> asking = Promise.promise();
        waiting.add(asking);
        return asking.future();
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
