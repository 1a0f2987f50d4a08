package dev.holdfast.management;

import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * Files out of the jar: the API's document for whoever may use that, and the console's: {@code /} is its page, {@code /webjars/} its libraries. Nothing secret is in them, so
 * they need no token; what they show comes from the API, which does. A browser runs, loads and asks for nothing but what is
 * served here, and makes markup of no text: that is the policy which each file comes with.
 */
final class ConsoleFiles implements Handler<RoutingContext> {
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
            + " require-trusted-types-for 'script'; trusted-types lit-html";
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "svg", "image/svg+xml",
            "yaml", "application/yaml");
    /**
     * No part of the path begins with a dot, so none leads out of the directory. The pattern repeats no group, which
     * would take stack.
     */
    static final Pattern NAME = Pattern.compile("(?!.*/[^a-z0-9])/[a-z0-9._/-]{1,200}\\.(html|js|css|svg)");

    private static final String LIBRARIES = "/webjars/";
    private static final int NOT_MODIFIED = 304;

    /** Files that were asked for, by path. Bounded, since only existing files are kept. */
    private final Map<String, StaticFile> read = new ConcurrentHashMap<>();

    /** @param tag of its bytes, as an ETag has it */
    private record StaticFile(String type, Buffer bytes, String tag) {}

    /** Adds a route only for paths that look like those of files; otherwise every path would have a GET. */
    void addTo(Router router) {
        router.get("/").handler(this);
        router.getWithRegex(NAME.pattern()).handler(this);
    }

    @Override
    public void handle(RoutingContext ctx) {
        String path = ctx.normalizedPath().equals("/") ? "/index.html" : ctx.normalizedPath();
        if (NAME.matcher(path).matches()) {
            send(ctx, path.startsWith(LIBRARIES) ? "/META-INF/resources" + path : "/dev/holdfast/console" + path);
        } else {
            ctx.next();
        }
    }

    /** {@code GET /api/v1/openapi.yaml}: what the API's routes take and answer, as OpenAPI 3.1. */
    void sendDocument(RoutingContext ctx) {
        send(ctx, "/dev/holdfast/management/openapi.yaml");
    }

    private void send(RoutingContext ctx, String resource) {
        StaticFile known = read.get(resource);
        if (known != null) {
            answer(ctx, known);
        } else {
            ctx.vertx()
                    .executeBlocking(() -> load(resource), false)
                    .onComplete(found -> found.ifPresentOrElse(file -> answer(ctx, file), ctx::next), ctx::fail);
        }
    }

    private Optional<StaticFile> load(String resource) throws IOException {
        try (InputStream in = ConsoleFiles.class.getResourceAsStream(resource)) {
            if (in == null) {
                return Optional.empty();
            }
            byte[] bytes = in.readAllBytes();
            String type = TYPES.getOrDefault(resource.substring(resource.lastIndexOf('.') + 1), "");
            StaticFile file = new StaticFile(type, Buffer.buffer(bytes), tag(bytes));
            read.put(resource, file);
            return Optional.of(file);
        }
    }

    private static String tag(byte[] bytes) {
        CRC32 sum = new CRC32();
        sum.update(bytes);
        return '"' + Long.toHexString(sum.getValue()) + '"';
    }

    private static void answer(RoutingContext ctx, StaticFile file) {
        HttpServerResponse response = ctx.response()
                .putHeader("Content-Security-Policy", POLICY)
                .putHeader("X-Content-Type-Options", "nosniff")
                .putHeader("Referrer-Policy", "no-referrer")
                // The browser asks each time, and gets the file again only after a change of Holdfast's version.
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-cache")
                .putHeader(HttpHeaders.ETAG, file.tag());
        if (file.tag().equals(ctx.request().getHeader(HttpHeaders.IF_NONE_MATCH))) {
            response.setStatusCode(NOT_MODIFIED).end();
        } else {
            response.putHeader(HttpHeaders.CONTENT_TYPE, file.type()).end(file.bytes());
        }
    }
}
