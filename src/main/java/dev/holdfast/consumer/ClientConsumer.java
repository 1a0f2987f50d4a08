package dev.holdfast.consumer;

import dev.holdfast.push.Push;
import io.vertx.core.Future;

/**
 * Handles the client topics and the visitor update (interface, section 6), a method each: override what you need. What is
 * not overridden writes one log line a push.
 */
public class ClientConsumer extends LogConsumer {
    @Override
    protected final Future<?> handle(Push push) {
        return switch (push.event()) {
            case "client.created" -> created(push, new Client(push));
            case "client.updated" -> updated(push, new Client(push));
            case "client.deleted" -> deleted(push, new Client(push));
            default ->
                push.event().equals(consumer().visitorUpdatedEvent())
                        ? visitorUpdated(push, new Client(push))
                        : other(push);
        };
    }

    /** A client was created, or a visitor converted into one. */
    protected Future<?> created(Push push, Client client) {
        return logged(push);
    }

    /** A client was updated. */
    protected Future<?> updated(Push push, Client client) {
        return logged(push);
    }

    /** A client was deleted. */
    protected Future<?> deleted(Push push, Client client) {
        return logged(push);
    }

    /** A visitor was updated: the topic whose event the interface doesn't name, {@code platform.visitor-updated-event}. */
    protected Future<?> visitorUpdated(Push push, Client visitor) {
        return logged(push);
    }

    /** Any other event that the consumer subscribed to. */
    protected Future<?> other(Push push) {
        return logged(push);
    }
}
