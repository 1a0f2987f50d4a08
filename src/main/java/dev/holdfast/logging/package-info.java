/** Where log lines go. Knows Logback and nothing of the gateway. */
@NullMarked
package dev.holdfast.logging;

import org.jspecify.annotations.NullMarked;
