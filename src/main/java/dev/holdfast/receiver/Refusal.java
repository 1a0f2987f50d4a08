package dev.holdfast.receiver;

import java.util.Locale;

/** Why a request is not answered {@code 200}, and what it is answered instead: the one place that knows. */
enum Refusal {
    MALFORMED(400, true, "the request is malformed"),
    HOST(400, true, "expected exactly one Host header"),
    TARGET(400, true, "expected a request target that starts with /"),
    LENGTH(400, true, "expected one Content-Length, or chunked transfer coding without one"),
    INCOMPLETE(400, true, "the body ended before its length was reached"),
    SIGNATURE(401, false, "the signature is missing or wrong"),
    SIGNATURE_UNREAD(401, true, SIGNATURE.text),
    NOT_FOUND(404, true, "there is no endpoint at this path"),
    METHOD(405, true, "expected POST"),
    SLOW_BODY(408, true, "the body did not arrive in time"),
    EVICTED(408, true, "the body was given up, as others needed the room"),
    TOO_LARGE(413, true, "the body is larger than this gateway takes"),
    URI_TOO_LONG(414, true, "the request target is too long"),
    EXPECTATION(417, true, "expected no Expect header other than 100-continue"),
    HEADERS(431, true, "the headers are too many or too large"),
    INTERNAL(500, true, "the gateway failed at this request"),
    STORAGE(503, false, "the push can't be stored at the moment"),
    SYNC_TIMEOUT(503, false, "the disk has not stored the push in time"),
    NO_ROOM(503, true, "the disk has not made room for the push in time"),
    CROWDED(503, true, "other bodies have not made room for this one in time"),
    MEMORY(503, true, "there is not enough memory for the push at the moment"),
    VERSION(505, true, "expected HTTP/1.0 or HTTP/1.1");

    private final int status;
    private final boolean closes;
    private final String text;

    Refusal(int status, boolean closes, String text) {
        this.status = status;
        this.closes = closes;
        this.text = text;
    }

    int status() {
        return status;
    }

    /** Whether the connection ends with this answer, because the rest of the request is not to be trusted or not read. */
    boolean closes() {
        return closes;
    }

    /** Whether the same push, sent again a little later, may well be taken. */
    boolean passes() {
        return status == 503;
    }

    /** One line for whoever sent the request. */
    String text() {
        return text;
    }

    /** The cause as it is written in metrics, e.g. {@code slow-body}. */
    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
