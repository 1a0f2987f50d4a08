/**
 * What an integrator builds on: {@link dev.holdfast.consumer.PushConsumer} and the typed consumers above it. Consumers see
 * pushes, and nothing of how they are kept or delivered. Published as a jar of its own, it changes compatibly; the consumers
 * that are shipped lie in packages below, which it knows nothing of.
 */
@NullMarked
package dev.holdfast.consumer;

import org.jspecify.annotations.NullMarked;
