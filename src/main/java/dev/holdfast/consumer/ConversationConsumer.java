package dev.holdfast.consumer;

import dev.holdfast.push.Push;
import io.vertx.core.Future;

/**
 * Handles the conversation topics (interface, section 6), a method each: override what you need. What is not overridden
 * writes one log line a push.
 */
public class ConversationConsumer extends LogConsumer {
    @Override
    protected final Future<?> handle(Push push) {
        return switch (push.event()) {
            case "conversation.created" -> created(push, new Conversation(push));
            case "conversation.closed" -> closed(push, new Conversation(push));
            case "conversation.updated" -> updated(push, new Conversation(push));
            case "conversation.scheduled" -> scheduled(push, new Conversation(push));
            default -> other(push);
        };
    }

    /** A conversation was created. */
    protected Future<?> created(Push push, Conversation conversation) {
        return logged(push);
    }

    /** A conversation was ended, manually or automatically. */
    protected Future<?> closed(Push push, Conversation conversation) {
        return logged(push);
    }

    /** An agent edited the conversation's summary. */
    protected Future<?> updated(Push push, Conversation conversation) {
        return logged(push);
    }

    /** An agent was assigned for the first time. */
    protected Future<?> scheduled(Push push, Conversation conversation) {
        return logged(push);
    }

    /** Any other event that the consumer subscribed to. */
    protected Future<?> other(Push push) {
        return logged(push);
    }
}
