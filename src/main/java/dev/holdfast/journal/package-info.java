/**
 * Where accepted pushes live: the {@link dev.holdfast.journal.Journal}, a log of segment files. Plain Java: no Vert.x in
 * here, and nothing outside knows its files.
 */
@NullMarked
package dev.holdfast.journal;

import org.jspecify.annotations.NullMarked;
