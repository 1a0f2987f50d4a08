package dev.holdfast.management;

import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Answers requests that no route takes: 404, or 405 with {@code Allow} (RFC 9110, 15.5.6) if the path has routes for
 * other methods. The router knows those methods but doesn't tell them, so they are collected here from its routes. What
 * can't be decoded comes to no router, and is answered here, too.
 */
final class UnroutedRequests {
    private UnroutedRequests() {}

    /** @param api mounted at {@link ManagementVerticle#API} */
    static void answer(Router router, Router api) {
        router.errorHandler(
                404,
                ctx -> ApiAnswers.problem(
                        ctx,
                        404,
                        "found the path " + shown(ctx) + ", expected one that " + ManagementVerticle.API
                                + "/openapi.yaml has"));
        router.errorHandler(405, ctx -> refuseMethod(ctx, Map.of("", router, ManagementVerticle.API, api)));
    }

    /** Answers what can't be decoded; its connection ends, as it is unknown where the next request begins. */
    static void refuseUndecodable(HttpServerRequest request) {
        Throwable cause = request.decoderResult().cause();
        int status =
                cause instanceof TooLongHttpLineException ? 414 : cause instanceof TooLongFrameException ? 431 : 400;
        String detail =
                switch (status) {
                    case 414 ->
                        "found a request line that is too long, expected "
                                + HttpServerOptions.DEFAULT_MAX_INITIAL_LINE_LENGTH + " bytes at most";
                    case 431 ->
                        "found headers that are too large, expected " + HttpServerOptions.DEFAULT_MAX_HEADER_SIZE
                                + " bytes at most";
                    default -> "found a request that can't be read as HTTP";
                };
        request.response().putHeader(HttpHeaders.CONNECTION, "close");
        ApiAnswers.problem(request.response(), status, detail)
                .onComplete(answered -> request.connection().close());
    }

    private static void refuseMethod(RoutingContext ctx, Map<String, Router> routers) {
        Set<String> allowed = new TreeSet<>();
        routers.forEach((prefix, router) -> router.getRoutes().stream()
                .filter(route -> route.methods() != null)
                .filter(route -> pattern(prefix, route.getPath())
                        .matcher(ctx.normalizedPath())
                        .matches())
                .forEach(route -> route.methods().forEach(method -> allowed.add(method.name()))));
        String methods = String.join(", ", allowed);
        ctx.response().putHeader(HttpHeaders.ALLOW, methods);
        String found = RequestValues.shown(ctx.request().method());
        ApiAnswers.problem(ctx, 405, "found the method " + found + ", expected " + methods + " for " + shown(ctx));
    }

    /**
     * @param path null if the route has a regular expression, which a route doesn't tell; only the console's have one
     */
    private static Pattern pattern(String prefix, @Nullable String path) {
        return path == null ? ConsoleFiles.NAME : Pattern.compile(prefix + path.replaceAll(":\\w+", "[^/]+") + "/?");
    }

    private static String shown(RoutingContext ctx) {
        return RequestValues.shown(ctx.normalizedPath());
    }
}
