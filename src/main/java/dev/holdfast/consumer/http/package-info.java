/**
 * The shipped consumer {@code http}: forwards pushes to a URL as they came. Its options are defined here and in the
 * shipped configuration, nowhere else.
 */
@NullMarked
package dev.holdfast.consumer.http;

import org.jspecify.annotations.NullMarked;
