/**
 * The operators' port: liveness, readiness, metrics. Shows what the parts hand in as functions; knows none of them.
 */
@NullMarked
package dev.holdfast.management;

import org.jspecify.annotations.NullMarked;
