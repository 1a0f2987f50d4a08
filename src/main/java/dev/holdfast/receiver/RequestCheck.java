package dev.holdfast.receiver;

import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is wrong with a request's head (RFC 9112, sections 3.2 and 6; RFC 9110, section 10.1.1). */
final class RequestCheck {
    /** A request of an HTTP version that this server doesn't speak (RFC 9110, section 15.6.6). */
    static final class UnsupportedVersion extends Exception {
        private static final long serialVersionUID = 1L;

        UnsupportedVersion(String version) {
            super("found " + version + " (expected: HTTP/1.0 or HTTP/1.1)");
        }
    }

    private static final int MAX_HEADERS = 100;

    private RequestCheck() {}

    /** Why the request is refused for its head; null when it is sound. */
    static @Nullable Refusal of(HttpServerRequest request) {
        MultiMap headers = request.headers();
        if (headers.contains("")) {
            return Refusal.MALFORMED;
        }
        if (hasTooMany(headers)) {
            return Refusal.HEADERS;
        }
        if (request.uri() == null || !request.uri().startsWith("/")) {
            return Refusal.TARGET;
        }
        if (hasControl(request.uri())) {
            return Refusal.MALFORMED;
        }
        if (!hasRightHost(request)) {
            return Refusal.HOST;
        }
        if (!hasRightLength(headers)) {
            return Refusal.LENGTH;
        }
        return hasRightExpectation(headers) ? null : Refusal.EXPECTATION;
    }

    /** Lines, not names: the headers' own size counts a name that occurs twice once. */
    private static boolean hasTooMany(MultiMap headers) {
        int count = 0;
        for (Iterator<?> lines = headers.iterator(); lines.hasNext(); lines.next()) {
            count++;
        }
        return count > MAX_HEADERS;
    }

    /** What a head is answered that the HTTP codec could not decode. */
    static Refusal ofUndecodable(@Nullable Throwable cause) {
        if (cause instanceof UnsupportedVersion) {
            return Refusal.VERSION;
        }
        if (cause instanceof TooLongHttpLineException) {
            return Refusal.URI_TOO_LONG;
        }
        if (cause instanceof TooLongHttpHeaderException || cause instanceof TooLongFrameException) {
            return Refusal.HEADERS;
        }
        return Refusal.MALFORMED;
    }

    /** Bytes beyond ASCII are no URI either, and do no harm. */
    private static boolean hasControl(String target) {
        for (int i = 0; i < target.length(); i++) {
            if (target.charAt(i) < ' ' || target.charAt(i) == 0x7f) {
                return true;
            }
        }
        return false;
    }

    private static boolean hasRightHost(HttpServerRequest request) {
        List<String> hosts = request.headers().getAll(HttpHeaders.HOST);
        return switch (request.version()) {
            case HTTP_1_1 -> hosts.size() == 1 && (hosts.get(0).isEmpty() || request.authority() != null);
            case HTTP_1_0 -> hosts.size() <= 1;
            default -> request.authority() != null;
        };
    }

    private static boolean hasRightLength(MultiMap headers) {
        int lengths = headers.getAll(HttpHeaders.CONTENT_LENGTH).size();
        if (!headers.contains(HttpHeaders.TRANSFER_ENCODING)) {
            return lengths <= 1;
        }
        List<String> codings = headers.getAll(HttpHeaders.TRANSFER_ENCODING);
        return lengths == 0 && codings.size() == 1 && codings.get(0).equalsIgnoreCase("chunked");
    }

    private static boolean hasRightExpectation(MultiMap headers) {
        return !headers.contains(HttpHeaders.EXPECT)
                || headers.getAll(HttpHeaders.EXPECT).stream().allMatch("100-continue"::equalsIgnoreCase);
    }

    /** Whether the client waits for a go-ahead before it sends the body. */
    static boolean awaitsContinue(HttpServerRequest request) {
        return request.version() != HttpVersion.HTTP_1_0 && request.headers().contains(HttpHeaders.EXPECT);
    }
}
