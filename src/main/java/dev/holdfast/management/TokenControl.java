package dev.holdfast.management;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What the API can ask of the access token. No answer holds a token or a code.
 *
 * @param status state, scope, expiry and last failure
 * @param exchange exchanges an authorization code; succeeds with the status and whether the exchange succeeded
 */
public record TokenControl(Supplier<Future<JsonObject>> status, Function<String, Future<JsonObject>> exchange) {}
