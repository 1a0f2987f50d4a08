package dev.holdfast.consumer;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import io.vertx.core.json.JsonObject;

/**
 * The access token of the platform's API for whoever needs it: ask for it before each call, and keep none. On the bus it
 * is a request to {@link #CURRENT}, answered with an {@link AccessToken} inside this process, or failed with the state as
 * its message. Any thread; futures complete on the caller's context.
 */
public final class AccessTokens {
    /** Address of the request; its body doesn't matter. */
    public static final String CURRENT = "token.current";
    /** Address at which a new token is published as JSON: {@code scope} and {@code expiresAt}, never the token. */
    public static final String CHANGED = "token.changed";

    private static final String NOT_CONFIGURED = "not-configured";
    private static final DeliveryOptions LOCAL = new DeliveryOptions().setLocalOnly(true);

    private final Vertx vertx;

    public AccessTokens(Vertx vertx) {
        this.vertx = vertx;
    }

    /** Registers the codec for tokens with a bus. Once for each Vert.x. */
    public static void registerCodec(Vertx vertx) {
        vertx.eventBus().registerDefaultCodec(AccessToken.class, new LocalCodec<>("access-token"));
    }

    /** A token that is good now; fails with {@link TokenUnavailableException} when there is none. */
    public Future<AccessToken> current() {
        return vertx.eventBus()
                .<AccessToken>request(CURRENT, null, LOCAL)
                .map(Message::body)
                .recover(failure -> Future.failedFuture(new TokenUnavailableException(state(failure))));
    }

    /** Calls back whenever there is a new token. Undo it with {@link MessageConsumer#unregister()}. */
    public MessageConsumer<JsonObject> onChange(Runnable listener) {
        return vertx.eventBus().<JsonObject>localConsumer(CHANGED).handler(message -> listener.run());
    }

    private static String state(Throwable failure) {
        if (!(failure instanceof ReplyException reply)) {
            return failure.getClass().getSimpleName();
        }
        return reply.failureType() == ReplyFailure.NO_HANDLERS ? NOT_CONFIGURED : String.valueOf(reply.getMessage());
    }
}
