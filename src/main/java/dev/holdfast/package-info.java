/**
 * The entry point and the wiring: {@code Wiring} makes every part, {@code Gateway} starts them, {@code StopSequence} stops them, and no other class
 * knows them all. Nothing in here does any part's work.
 */
@NullMarked
package dev.holdfast;

import org.jspecify.annotations.NullMarked;
