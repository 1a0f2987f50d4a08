package dev.holdfast.management;

import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The console's files, out of the jar: {@code /} is its page, {@code /webjars/} its libraries. Nothing secret is in them, so
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
            "svg", "image/svg+xml");
    /** No part of it begins with a dot, so none leads out of the directory. Without a repeated group, which takes stack. */
    static final Pattern NAME = Pattern.compile("(?!.*/[^a-z0-9])/[a-z0-9._/-]{1,200}\\.(html|js|css|svg)");

    private static final String LIBRARIES = "/webjars/";
    private static final int NOT_MODIFIED = 304;
    private static final int TAG_BYTES = 16;

    /** Those that were asked for, by path: no more than there are. */
    private final Map<String, StaticFile> read = new ConcurrentHashMap<>();

    /** @param tag of its bytes, as an ETag has it */
    private record StaticFile(String type, Buffer bytes, String tag) {}

    /** Only under paths such as theirs, or every other path would have a GET. */
    void addTo(Router router) {
        router.get("/").handler(this);
        router.getWithRegex(NAME.pattern()).handler(this);
    }

    @Override
    public void handle(RoutingContext ctx) {
        String path = ctx.normalizedPath().equals("/") ? "/index.html" : ctx.normalizedPath();
        Matcher name = NAME.matcher(path);
        StaticFile known = read.get(path);
        if (known != null) {
            answer(ctx, known);
        } else if (name.matches()) {
            ctx.vertx()
                    .executeBlocking(() -> load(path, name.group(1)), false)
                    .onComplete(found -> found.ifPresentOrElse(file -> answer(ctx, file), ctx::next), ctx::fail);
        } else {
            ctx.next();
        }
    }

    private Optional<StaticFile> load(String path, String extension) throws IOException {
        String resource = path.startsWith(LIBRARIES) ? "/META-INF/resources" + path : "/dev/holdfast/console" + path;
        try (InputStream in = ConsoleFiles.class.getResourceAsStream(resource)) {
            if (in == null) {
                return Optional.empty();
            }
            byte[] bytes = in.readAllBytes();
            StaticFile file = new StaticFile(TYPES.getOrDefault(extension, ""), Buffer.buffer(bytes), tag(bytes));
            read.put(path, file);
            return Optional.of(file);
        }
    }

    private static String tag(byte[] bytes) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
            return '"' + HexFormat.of().formatHex(digest, 0, TAG_BYTES) + '"';
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private static void answer(RoutingContext ctx, StaticFile file) {
        HttpServerResponse response = ctx.response()
                .putHeader("Content-Security-Policy", POLICY)
                .putHeader("X-Content-Type-Options", "nosniff")
                .putHeader("Referrer-Policy", "no-referrer")
                // Asked for again each time, and sent again only when another version of Holdfast is behind the port.
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-cache")
                .putHeader(HttpHeaders.ETAG, file.tag());
        if (file.tag().equals(ctx.request().getHeader(HttpHeaders.IF_NONE_MATCH))) {
            response.setStatusCode(NOT_MODIFIED).end();
        } else {
            response.putHeader(HttpHeaders.CONTENT_TYPE, file.type()).end(file.bytes());
        }
    }
}
