package dev.holdfast.quarantine;

import dev.holdfast.push.Envelope;
import dev.holdfast.push.EnvelopeReader;
import java.util.List;
import java.util.Locale;

/**
 * A request that was refused because its signature did not match. Whoever sent it is unknown: nothing of it is to be trusted.
 *
 * @param id its place in the order of arrival, never given twice; {@link #UNKEPT} before it is kept
 * @param receivedAt milliseconds since the epoch
 * @param endpoint name of the endpoint that it came to
 * @param address where it came from, without the port
 * @param query the request target's part behind the first {@code ?}; empty when absent
 * @param headers as received, in their order, without those that hold credentials
 * @param body the exact bytes; not a copy, never to be written into
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares two
public record QuarantinedRequest(
        long id,
        long receivedAt,
        String endpoint,
        Cause cause,
        String address,
        String query,
        List<Header> headers,
        byte[] body) {
    public static final long UNKEPT = 0;

    /** Why its signature did not match. Kept by its place here: only to be added to. */
    public enum Cause {
        /** The endpoint's signature header was not there. */
        MISSING,
        /** It was no signature: not 40 hexadecimal digits. */
        MALFORMED,
        /** It was there more than once. */
        DOUBLED,
        /** It was the signature of other bytes, or under another secret. */
        MISMATCH;

        /** As it is written in metrics, the API and options, e.g. {@code mismatch}. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** One line of its head. */
    public record Header(String name, String value) {}

    public QuarantinedRequest {
        headers = List.copyOf(headers);
    }

    /** The same at its place. */
    QuarantinedRequest at(long place) {
        return new QuarantinedRequest(place, receivedAt, endpoint, cause, address, query, headers, body);
    }

    /** As its body says, which nobody verified. Reads it anew each time. */
    public Envelope envelope() {
        return EnvelopeReader.read(body);
    }

    /** The values of a header, in their order; names are compared without regard to case. */
    public List<String> values(String name) {
        return headers.stream()
                .filter(header -> header.name().equalsIgnoreCase(name))
                .map(Header::value)
                .toList();
    }

    /** Nothing that was sent. */
    @Override
    public String toString() {
        return "quarantined request " + id + " (" + body.length + " bytes)";
    }
}
