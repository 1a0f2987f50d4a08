package dev.holdfast.management;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import io.vertx.core.json.jackson.JacksonCodec;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The routes of the API. Each names the values it knows, gets those of a request, and answers in JSON. The route of the
 * API's document is there from the beginning.
 */
public final class ApiRoutes {
    private static final String JSON = "application/json";
    private static final int LARGEST_BODY = 16 * 1024;
    static final String TOO_LARGE = "found a body that is too large, expected " + LARGEST_BODY + " bytes at most";
    private static final int SEARCHERS = 2;
    /** Of a key that comes twice the last one would count alone. */
    private static final JsonFactory STRICT = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private final Router router;
    private final BodyHandler bodies = BodyHandler.create(false).setBodyLimit(LARGEST_BODY);
    /** Held in a field, since Vert.x closes an executor that the garbage collector finds. */
    private final WorkerExecutor searchers;

    private final LargeAnswers large = new LargeAnswers();

    /** Without routes of any part. */
    public ApiRoutes(Vertx vertx) {
        router = Router.router(vertx);
        searchers = vertx.createSharedWorkerExecutor("push-search", SEARCHERS);
        ConsoleFiles files = new ConsoleFiles();
        read("/openapi.yaml", List.of(), none -> files.sendDocument(none.ctx()));
    }

    /** The router of paths below {@code /api/v1}. */
    public Router router() {
        return router;
    }

    /** Adds a GET route without a query. */
    void get(String path, Function<RequestValues, Future<JsonObject>> action) {
        get(path, List.of(), action);
    }

    /**
     * Adds a GET route.
     *
     * @param path below {@code /api/v1}; what varies in it, such as {@code :seq}, is among the values
     * @param keys that its query may have
     */
    void get(String path, List<String> keys, Function<RequestValues, Future<JsonObject>> action) {
        read(path, keys, values -> ApiAnswers.answer(values.ctx(), action.apply(values)));
    }

    /** Adds a GET route without a query whose answer has a body in it. */
    void getLarge(String path, Function<RequestValues, Future<JsonObject>> action) {
        router.get(path).handler(ctx -> large.answer(ctx, () -> action.apply(ofQuery(ctx, List.of()))));
    }

    /** Adds a GET route that answers by itself, in something else than JSON. */
    void read(String path, List<String> keys, Consumer<RequestValues> action) {
        router.get(path).handler(ctx -> action.accept(ofQuery(ctx, keys)));
    }

    /** Adds a POST route, whose values are those of the request's body. */
    void post(String path, List<String> keys, Function<RequestValues, Future<JsonObject>> action) {
        // Before the body handler, which would decode a form.
        router.post(path).handler(ApiRoutes::refuseOtherTypes);
        router.post(path).handler(bodies).handler(ctx -> ApiAnswers.answer(ctx, action.apply(ofBody(ctx, keys))));
    }

    private RequestValues ofQuery(RoutingContext ctx, List<String> known) {
        Map<String, Object> values = new HashMap<>();
        ctx.queryParams().forEach(field -> {
            if (values.put(field.getKey(), field.getValue()) != null) {
                throw new IllegalArgumentException(
                        RequestValues.shown(field.getKey()) + ": found it twice, expected it once");
            }
        });
        return new RequestValues(ctx, searchers, known, values);
    }

    /** A browser sends no JSON from another site without asking first, and that is never allowed. */
    private static void refuseOtherTypes(RoutingContext ctx) {
        String type = ctx.request().getHeader(HttpHeaders.CONTENT_TYPE);
        if (type == null || !type.split(";", 2)[0].strip().equalsIgnoreCase(JSON)) {
            String found = type == null ? "no Content-Type" : "the Content-Type " + RequestValues.shown(type);
            throw new IllegalArgumentException("found " + found + ", expected " + JSON);
        }
        ctx.next();
    }

    private RequestValues ofBody(RoutingContext ctx, List<String> known) {
        ofQuery(ctx, List.of());
        Buffer body = ctx.body().buffer();
        if (body != null && read(body) instanceof JsonObject object) {
            return new RequestValues(ctx, searchers, known, object.getMap());
        }
        throw new IllegalArgumentException("found no JSON object, expected one as the body");
    }

    private static @Nullable Object read(Buffer body) {
        try {
            return JacksonCodec.fromParser(STRICT.createParser(body.getBytes()), Object.class);
        } catch (IOException | DecodeException e) {
            throw new IllegalArgumentException(
                    "found malformed JSON or a key twice, expected a JSON object with each key once", e);
        }
    }
}
