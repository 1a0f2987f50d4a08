/**
 * Files on this machine's disk: who may read them, how much room there is for them, the thread that makes what waits
 * durable in groups, and what is said while the disk keeps an opening waiting. Knows nothing of the files' contents.
 */
@NullMarked
package dev.holdfast.disk;

import org.jspecify.annotations.NullMarked;
