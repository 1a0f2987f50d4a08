package dev.holdfast.management;

import io.vertx.ext.web.Router;

/** A part of the API, behind the bearer token. */
public interface ApiPart {
    /**
     * Registers its routes.
     *
     * @param router takes paths below {@code /api/v1}
     */
    void addTo(Router router);

    /** The port is about to be closed: ends answers that go on by themselves. */
    default void close() {}
}
