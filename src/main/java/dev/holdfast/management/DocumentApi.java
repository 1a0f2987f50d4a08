package dev.holdfast.management;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.Router;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** {@code GET /api/v1/openapi.yaml}: what the API's routes take and answer, as OpenAPI 3.1. */
public final class DocumentApi implements ApiPart {
    private static final String NAME = "openapi.yaml";
    /** RFC 9512. */
    private static final String YAML = "application/yaml";

    private final Buffer document;

    public DocumentApi() {
        try (InputStream in = DocumentApi.class.getResourceAsStream(NAME)) {
            if (in == null) {
                throw new IllegalStateException(
                        "found no " + NAME + " beside the classes, expected the API's document");
            }
            document = Buffer.buffer(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void addTo(Router router) {
        router.get("/" + NAME).handler(ctx -> {
            RequestValues.ofNothing(ctx);
            ctx.response().putHeader(HttpHeaders.CONTENT_TYPE, YAML).end(document);
        });
    }
}
