/** Which build this is. Knows nothing of the gateway. */
@NullMarked
package dev.holdfast.build;

import org.jspecify.annotations.NullMarked;
