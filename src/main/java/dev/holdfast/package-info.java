/**
 * The entry point and the wiring. {@code Gateway} is the only class that knows every part; nothing in here does any
 * part's work.
 */
@NullMarked
package dev.holdfast;

import org.jspecify.annotations.NullMarked;
