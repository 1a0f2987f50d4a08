/**
 * The operators' port: liveness, readiness, metrics, and the API for consumers, pushes, replays, dead letters,
 * the quarantine and the token.
 * Shows what the parts hand in as functions; knows none of them.
 */
@NullMarked
package dev.holdfast.management;

import org.jspecify.annotations.NullMarked;
