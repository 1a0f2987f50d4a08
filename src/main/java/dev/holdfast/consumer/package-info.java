/**
 * What an integrator builds on: {@link dev.holdfast.consumer.PushConsumer} and the typed consumers above it, the consumers
 * that are shipped, and the loading of others from jars. Consumers see pushes, and nothing of how they are kept or
 * delivered.
 */
@NullMarked
package dev.holdfast.consumer;

import org.jspecify.annotations.NullMarked;
