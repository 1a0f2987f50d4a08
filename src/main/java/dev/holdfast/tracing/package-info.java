/**
 * Traces of pushes, by OpenTelemetry and its {@code OTEL_} variables. Other parts of the gateway call three interfaces
 * that know nothing of OpenTelemetry: if nobody asks for traces, none of its classes is loaded. Knows nothing of the
 * gateway.
 */
@NullMarked
package dev.holdfast.tracing;

import org.jspecify.annotations.NullMarked;
