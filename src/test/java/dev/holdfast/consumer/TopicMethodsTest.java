package dev.holdfast.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.push.Push;
import dev.holdfast.push.TestPush;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each topic of the interface (section 6) has a method of its own in the classes that integrators extend. */
class TopicMethodsTest {
    private final List<String> called = new ArrayList<>();

    private Future<?> call(String method, Object subject) {
        called.add(method + " " + subject);
        return Future.succeededFuture();
    }

    private final class Clients extends ClientConsumer {
        @Override
        protected Future<?> created(Push push, Client client) {
            return call("created", client.json());
        }

        @Override
        protected Future<?> updated(Push push, Client client) {
            return call("updated", client.json());
        }

        @Override
        protected Future<?> deleted(Push push, Client client) {
            return call("deleted", client.json());
        }

        @Override
        protected Future<?> visitorUpdated(Push push, Client visitor) {
            return call("visitorUpdated", visitor.json());
        }

        @Override
        protected Future<?> other(Push push) {
            return call("other", push.event());
        }
    }

    private final class Conversations extends ConversationConsumer {
        @Override
        protected Future<?> created(Push push, Conversation conversation) {
            return call("created", conversation.json());
        }

        @Override
        protected Future<?> closed(Push push, Conversation conversation) {
            return call("closed", conversation.json());
        }

        @Override
        protected Future<?> updated(Push push, Conversation conversation) {
            return call("updated", conversation.json());
        }

        @Override
        protected Future<?> scheduled(Push push, Conversation conversation) {
            return call("scheduled", conversation.json());
        }

        @Override
        protected Future<?> other(Push push) {
            return call("other", push.event());
        }
    }

    private static Push push(String event, String data) {
        return TestPush.of(1, "{\"event\":\"" + event + "\"" + data + "}");
    }

    @ParameterizedTest
    @CsvSource({
        "client.created, created",
        "client.updated, updated",
        "client.deleted, deleted",
        "people.changed, visitorUpdated"
    })
    void ofClients(String event, String method) {
        Clients clients = new Clients();
        clients.bind(new ConsumerContext("mine", Duration.ofSeconds(10), "people.changed"));

        clients.handle(push(event, ",\"client\":{\"a\":1}"));
        clients.handle(push(event, ""));
        clients.handle(push("client.moved", ""));

        assertThat(called).containsExactly(method + " {\"a\":1}", method + " {}", "other client.moved");
    }

    @ParameterizedTest
    @CsvSource({
        "conversation.created, created",
        "conversation.closed, closed",
        "conversation.updated, updated",
        "conversation.scheduled, scheduled"
    })
    void ofConversations(String event, String method) {
        Conversations conversations = new Conversations();

        conversations.handle(push(event, ",\"conversation\":{\"a\":1}"));
        conversations.handle(push("conversation.moved", ""));

        assertThat(called).containsExactly(method + " {\"a\":1}", "other conversation.moved");
    }

    @Test
    void whatIsNotOverriddenIsDone() {
        ConsumerContext context = new ConsumerContext("mine", Duration.ofSeconds(10), "people.changed");
        ClientConsumer clients = new ClientConsumer();
        clients.bind(context);
        ConversationConsumer conversations = new ConversationConsumer();
        conversations.bind(context);

        for (String event : List.of("client.created", "client.updated", "client.deleted", "people.changed", "other")) {
            assertThat(clients.handle(push(event, "")).succeeded()).as(event).isTrue();
        }
        for (String step : List.of("created", "closed", "updated", "scheduled", "moved")) {
            assertThat(conversations.handle(push("conversation." + step, "")).succeeded())
                    .as(step)
                    .isTrue();
        }
    }
}
