/**
 * The operators' port: liveness, readiness, metrics, the API for consumers, pushes, replays, dead letters,
 * the quarantine and the token, and the files of the console, which is made of the API.
 * Shows what the parts hand in as functions; knows none of them.
 */
@NullMarked
package dev.holdfast.management;

import org.jspecify.annotations.NullMarked;
