package dev.holdfast.example;

import dev.holdfast.consumer.AccessToken;
import dev.holdfast.consumer.Conversation;
import dev.holdfast.consumer.ConversationConsumer;
import dev.holdfast.push.Push;
import io.vertx.core.Future;
import io.vertx.core.http.HttpResponseExpectation;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.client.WebClient;
import java.util.Objects;

/** Notes each closed conversation by the platform's API. The example of {@code src/site/markdown/token.md}. */
public class NotingConsumer extends ConversationConsumer {
    private WebClient client;

    @Override
    public Future<?> start() throws Exception {
        client = WebClient.create(vertx);
        return super.start();
    }

    @Override
    protected Future<?> closed(Push push, Conversation conversation) {
        return accessTokens().current().compose(token -> note(token, conversation));
    }

    private Future<?> note(AccessToken token, Conversation conversation) {
        String url = Objects.requireNonNull(config().getString("url"), "options: url");
        return client.postAbs(url)
                .bearerTokenAuthentication(token.value())
                .sendJsonObject(new JsonObject().put("enterprise", conversation.enterpriseId()))
                .expecting(HttpResponseExpectation.SC_SUCCESS);
    }
}
