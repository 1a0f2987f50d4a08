/**
 * The shipped consumer {@code file}: pushes as lines in files, synced, ended by size and age, and compressed.
 */
@NullMarked
package dev.holdfast.consumer.file;

import org.jspecify.annotations.NullMarked;
