package dev.holdfast.push;

import java.util.Objects;

/**
 * What is kept of a push's request besides its body: what is needed to read the body, to verify it again or to repeat
 * the request. All of it as received.
 *
 * @param signature the signature header's value
 * @param contentType the {@code Content-Type} header's value, empty when absent
 * @param contentEncoding the {@code Content-Encoding} header's value, several joined by commas, empty when absent. The
 *     body is never decoded: the signature is over the encoded bytes
 * @param query the request target's part behind the first {@code ?}, without it; empty when absent
 */
public record RequestHead(String signature, String contentType, String contentEncoding, String query) {
    public RequestHead {
        Objects.requireNonNull(signature);
        Objects.requireNonNull(contentType);
        Objects.requireNonNull(contentEncoding);
        Objects.requireNonNull(query);
    }

    /** Shows nothing: the signature is the enterprise's, and a query may hold a secret. */
    @Override
    public String toString() {
        return "RequestHead";
    }
}
