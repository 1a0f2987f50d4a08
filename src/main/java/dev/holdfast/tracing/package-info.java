/**
 * Traces of pushes, by OpenTelemetry and its {@code OTEL_} variables. What parts of the gateway tell it is in three interfaces
 * that know nothing of OpenTelemetry: while nobody asks for traces, none of its classes is loaded. Knows nothing of the gateway.
 */
@NullMarked
package dev.holdfast.tracing;

import org.jspecify.annotations.NullMarked;
