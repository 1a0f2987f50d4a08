package dev.holdfast.token;

import dev.holdfast.consumer.AccessToken;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Told of what happens to the token, on the verticle's context. */
interface TokenListener {
    /** There is a new token, kept and in use. */
    void changed(AccessToken token);

    /**
     * The state may be another one now.
     *
     * @param goodUntil null: there is no good token
     */
    void state(TokenState state, @Nullable Instant goodUntil);

    /**
     * A request came to its end.
     *
     * @param failure null: it succeeded
     */
    void answered(TokenRequest.Kind kind, @Nullable FailureKind failure);
}
