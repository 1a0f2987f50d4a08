package dev.holdfast.management;

import dev.holdfast.config.Secret;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lets nobody into the API without the configured bearer token (RFC 6750), which is compared in constant time. */
final class BearerCheck implements Handler<RoutingContext> {
    private static final String SCHEME = "Bearer ";

    private final @Nullable Secret token;

    /** @param token null: everybody who reaches the port may come in */
    BearerCheck(@Nullable Secret token) {
        this.token = token;
    }

    @Override
    public void handle(RoutingContext ctx) {
        List<String> headers = ctx.request().headers().getAll(HttpHeaders.AUTHORIZATION);
        if (headers.size() > 1) {
            // Whoever stands in front may have looked at another one.
            ApiAnswers.problem(ctx, 400, "found " + headers.size() + " Authorization headers, expected one at most");
            return;
        }
        if (token == null || (headers.size() == 1 && matches(token, headers.get(0)))) {
            ctx.next();
            return;
        }
        ctx.response().putHeader("WWW-Authenticate", "Bearer");
        ApiAnswers.problem(ctx, 401, "expected the management token as a bearer token");
    }

    private static boolean matches(Secret token, String header) {
        if (!header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return false;
        }
        // A header's characters are its bytes.
        byte[] given = header.substring(SCHEME.length()).strip().getBytes(StandardCharsets.ISO_8859_1);
        return MessageDigest.isEqual(given, token.bytes());
    }
}
