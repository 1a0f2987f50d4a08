/**
 * Files on this machine's disk: who may read them, and the thread that makes what waits durable in groups. Knows
 * nothing of the files' contents.
 */
@NullMarked
package dev.holdfast.disk;

import org.jspecify.annotations.NullMarked;
