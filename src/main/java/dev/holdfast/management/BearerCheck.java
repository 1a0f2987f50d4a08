package dev.holdfast.management;

import dev.holdfast.config.ManagementConfig;
import dev.holdfast.config.Secret;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lets nobody in without the configured bearer token (RFC 6750), which is compared in constant time. If none is
 * configured, lets everybody in. A wrong token is answered a second late, so that who tries many is slow; a right one is
 * never delayed. While too many answers wait, the next one comes at once, and closes its connection. Used by the event
 * loop alone.
 */
final class BearerCheck implements Handler<RoutingContext> {
    private static final String SCHEME = "Bearer ";
    private static final int BAD_REQUEST = 400;
    private static final int UNAUTHORIZED = 401;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int MOST_WAITING = 64;
    private static final long DELAY_MILLIS = 1_000;

    private final @Nullable Secret token;
    private final String name;
    private int waiting;

    BearerCheck(ManagementConfig config) {
        this.token = config.token();
        this.name = config.tokenName();
    }

    @Override
    public void handle(RoutingContext ctx) {
        List<String> headers = ctx.request().headers().getAll(HttpHeaders.AUTHORIZATION);
        if (headers.size() > 1) {
            // With two headers, a proxy in front may have checked the other one.
            ApiAnswers.problem(
                    ctx, BAD_REQUEST, "found " + headers.size() + " Authorization headers, expected one at most");
        } else if (token == null) {
            ctx.next();
        } else if (headers.isEmpty()) {
            refuse(ctx);
        } else if (matches(token, headers.get(0))) {
            AuditTrail.isOf(ctx, name);
            ctx.next();
        } else if (waiting < MOST_WAITING) {
            waiting++;
            ctx.vertx().setTimer(DELAY_MILLIS, timer -> {
                waiting--;
                refuse(ctx);
            });
        } else {
            ctx.response().putHeader(HttpHeaders.CONNECTION, "close");
            ApiAnswers.problem(ctx, TOO_MANY_REQUESTS, "found too many wrong tokens at once, expected fewer");
        }
    }

    private static void refuse(RoutingContext ctx) {
        if (ctx.response().closed()) {
            return;
        }
        ctx.response().putHeader("WWW-Authenticate", "Bearer");
        ApiAnswers.problem(ctx, UNAUTHORIZED, "expected the management token as a bearer token");
    }

    private static boolean matches(Secret token, String header) {
        if (!header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return false;
        }
        // Vert.x decodes headers byte by byte, so each character is one byte.
        byte[] given = header.substring(SCHEME.length()).strip().getBytes(StandardCharsets.ISO_8859_1);
        return MessageDigest.isEqual(given, token.bytes());
    }
}
