package dev.holdfast.receiver;

import dev.holdfast.signature.LiveSecrets;

/**
 * A path that pushes come to.
 *
 * @param name as configured; part of every push that comes here
 * @param path exact, as it is written in a request: nothing in it is decoded
 * @param signatureHeader name of the header with the signature
 * @param secrets those that are live at the moment
 */
public record Endpoint(String name, String path, String signatureHeader, LiveSecrets secrets) {}
