package dev.holdfast.management;

import io.vertx.core.Vertx;
import io.vertx.ext.web.Router;

/** A part of the API: routes below {@code /api}, behind the bearer token. */
public interface ApiPart {
    Router router(Vertx vertx);
}
