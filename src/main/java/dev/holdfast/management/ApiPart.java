package dev.holdfast.management;

/** A part of the API, behind the bearer token. */
public interface ApiPart {
    /** Registers its routes. */
    void addTo(ApiRoutes routes);

    /** The port is about to be closed: ends answers that go on by themselves. */
    default void close() {}
}
