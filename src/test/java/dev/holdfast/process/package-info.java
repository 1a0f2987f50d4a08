/**
 * The packaged jar, run as operators run it: as a process of its own that is configured, signalled, killed and started
 * again. The classes named {@code *IT} need the jar, whose path is the system property {@code holdfast.jar}.
 */
@NullMarked
package dev.holdfast.process;

import org.jspecify.annotations.NullMarked;
