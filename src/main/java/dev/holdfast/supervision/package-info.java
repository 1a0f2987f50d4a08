/**
 * Keeps running what is to run: starts consumers, restarts them with back-off, brings them in line with a changed
 * configuration; gives back memory; and ends a process that would go on deaf, for its supervisor to start it again. Delivers
 * nothing itself.
 */
@NullMarked
package dev.holdfast.supervision;

import org.jspecify.annotations.NullMarked;
