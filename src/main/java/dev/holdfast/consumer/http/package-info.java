/**
 * The shipped consumer {@code http}: forwards pushes to a URL as they came. What its options may be stands here and in the
 * shipped configuration, nowhere else.
 */
@NullMarked
package dev.holdfast.consumer.http;

import org.jspecify.annotations.NullMarked;
