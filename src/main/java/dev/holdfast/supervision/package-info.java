/**
 * Starts consumers, restarts them with back-off, brings them in line with a changed configuration; returns free memory
 * to the system; and ends a process that would run on without receiving, so that its supervisor starts it again.
 * Delivers nothing itself.
 */
@NullMarked
package dev.holdfast.supervision;

import org.jspecify.annotations.NullMarked;
