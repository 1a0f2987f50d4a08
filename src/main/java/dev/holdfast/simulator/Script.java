package dev.holdfast.simulator;

import java.util.List;
import java.util.stream.Stream;

/**
 * The contents of the pushes.
 *
 * @param events the events sent, in turn; at least one
 * @param enterpriseToken part of every id, and a field of the envelope
 * @param clientField the envelope's field with client data; the interface does not show its name
 * @param bodySize bytes that a body is filled up to with invented padding; 0: no padding
 * @param oversize bytes of a body with {@link Fault#OVERSIZE}
 */
public record Script(List<String> events, String enterpriseToken, String clientField, int bodySize, int oversize) {
    /** The seven topics whose identifier the interface shows, in an order in which they may happen. */
    public static final List<String> NAMED_EVENTS = List.of(
            "conversation.created",
            "conversation.scheduled",
            "conversation.updated",
            "conversation.closed",
            "client.created",
            "client.updated",
            "client.deleted");

    /** An identifier for the topic "Update visitor", whose own is not shown. */
    public static final String VISITOR_EVENT = "visitor.updated";

    /** One byte more than the gateway accepts by default. */
    public static final int OVERSIZE = (8 << 20) + 1;

    public Script {
        events = List.copyOf(events);
    }

    /** All eight topics with small bodies. */
    public static Script standard() {
        return new Script(allEvents(VISITOR_EVENT), "simulated", "client", 0, OVERSIZE);
    }

    /** All eight topics, the visitor's under the name given. */
    public static List<String> allEvents(String visitorEvent) {
        return Stream.concat(NAMED_EVENTS.stream(), Stream.of(visitorEvent)).toList();
    }
}
