/** When something that failed is tried again. What is tried, and whether it is worth another try, is the business of those who try. */
@NullMarked
package dev.holdfast.retry;

import org.jspecify.annotations.NullMarked;
