/** The byte forms of a push that shipped consumers share. Knows nothing of where they are sent. */
@NullMarked
package dev.holdfast.consumer.format;

import org.jspecify.annotations.NullMarked;
