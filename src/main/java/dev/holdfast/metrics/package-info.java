/**
 * What is measured on the way of a push, where a general meter would cost too much. Knows neither Prometheus nor
 * anything of the gateway; the management publishes the figures.
 */
@NullMarked
package dev.holdfast.metrics;

import org.jspecify.annotations.NullMarked;
