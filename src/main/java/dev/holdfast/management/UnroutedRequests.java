package dev.holdfast.management;

import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Answers requests that no route takes: 404, or 405 where the path has routes for other methods, which RFC 9110 (15.5.6) has named
 * in {@code Allow}. The router knows them and tells nobody.
 */
final class UnroutedRequests {
    /** By the path that each is mounted at. */
    private final Map<String, Router> routers;

    UnroutedRequests(Map<String, Router> routers) {
        this.routers = routers;
    }

    void addTo(Router router) {
        router.errorHandler(
                404,
                ctx -> ApiAnswers.problem(
                        ctx,
                        404,
                        "found the path " + shown(ctx) + ", expected one that " + ManagementVerticle.API
                                + "/openapi.yaml has"));
        router.errorHandler(405, this::refuseMethod);
    }

    private void refuseMethod(RoutingContext ctx) {
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

    /** @param path null: a regular expression, which a route keeps to itself; those of the console alone are any */
    private static Pattern pattern(String prefix, @Nullable String path) {
        return path == null ? ConsoleFiles.NAME : Pattern.compile(prefix + path.replaceAll(":\\w+", "[^/]+") + "/?");
    }

    private static String shown(RoutingContext ctx) {
        return RequestValues.shown(ctx.normalizedPath());
    }
}
