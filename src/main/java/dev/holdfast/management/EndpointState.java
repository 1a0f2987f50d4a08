package dev.holdfast.management;

import dev.holdfast.metrics.EndpointTraffic;

/**
 * An endpoint, and what came in there.
 *
 * @param secrets how many are live
 */
public record EndpointState(String name, String path, String signatureHeader, int secrets, EndpointTraffic traffic) {}
