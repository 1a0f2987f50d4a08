package dev.holdfast.management;

import io.vertx.ext.web.Router;

/** A part of the API, with routes below {@code /api}, behind the bearer token. */
public interface ApiPart {
    void addTo(Router router);
}
