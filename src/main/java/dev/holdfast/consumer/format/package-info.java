/**
 * A push as bytes for others to read: the forms that shipped consumers have in common. Nothing of where they are sent.
 */
@NullMarked
package dev.holdfast.consumer.format;

import org.jspecify.annotations.NullMarked;
