/**
 * Fuzzing of what reads foreign input: each target stands beside the part that it tries, and here is what runs them, in short
 * in every build, guided by coverage when it is asked for.
 */
@NullMarked
package dev.holdfast.fuzz;

import org.jspecify.annotations.NullMarked;
