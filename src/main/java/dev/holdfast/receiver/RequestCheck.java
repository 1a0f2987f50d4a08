package dev.holdfast.receiver;

import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import org.jspecify.annotations.Nullable;

/** What is wrong with a request's head (RFC 9112, sections 3.2 and 6; RFC 9110, section 10.1.1). */
final class RequestCheck {
    private static final int MAX_HEADERS = 100;

    private RequestCheck() {}

    /** Why the request is refused for its head; null when it is sound. */
    static @Nullable Refusal of(HttpServerRequest request) {
        MultiMap headers = request.headers();
        if (headers.size() > MAX_HEADERS) {
            return Refusal.HEADERS;
        }
        if (!request.uri().startsWith("/")) {
            return Refusal.TARGET;
        }
        if (!hasRightHost(request)) {
            return Refusal.HOST;
        }
        if (!hasRightLength(headers)) {
            return Refusal.LENGTH;
        }
        String expect = headers.get(HttpHeaders.EXPECT);
        return expect == null || expect.equalsIgnoreCase("100-continue") ? null : Refusal.EXPECTATION;
    }

    /** What a head is answered that the HTTP codec could not decode. */
    static Refusal ofUndecodable(@Nullable Throwable cause) {
        if (cause instanceof TooLongHttpLineException) {
            return Refusal.URI_TOO_LONG;
        }
        if (cause instanceof TooLongHttpHeaderException || cause instanceof TooLongFrameException) {
            return Refusal.HEADERS;
        }
        return Refusal.MALFORMED;
    }

    private static boolean hasRightHost(HttpServerRequest request) {
        return switch (request.version()) {
            case HTTP_1_1 -> request.headers().getAll(HttpHeaders.HOST).size() == 1;
            case HTTP_1_0 -> request.headers().getAll(HttpHeaders.HOST).size() <= 1;
            default -> true;
        };
    }

    private static boolean hasRightLength(MultiMap headers) {
        int lengths = headers.getAll(HttpHeaders.CONTENT_LENGTH).size();
        return lengths == 0 || (lengths == 1 && !headers.contains(HttpHeaders.TRANSFER_ENCODING));
    }

    /** Whether the client waits for a go-ahead before it sends the body. */
    static boolean awaitsContinue(HttpServerRequest request) {
        return request.version() != HttpVersion.HTTP_1_0 && request.headers().contains(HttpHeaders.EXPECT);
    }
}
