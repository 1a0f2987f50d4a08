/**
 * The operators' port: liveness, readiness, metrics, the API for consumers, pushes, replays, dead letters, the
 * quarantine and the token, and the files of the console, which uses that API. It shows what other parts hand in as
 * functions, and knows none of these parts.
 */
@NullMarked
package dev.holdfast.management;

import org.jspecify.annotations.NullMarked;
