/**
 * How files come to be on this machine's disk: who may read them, and the thread that makes what waits durable in groups. What
 * stands in them is the business of those who write them.
 */
@NullMarked
package dev.holdfast.disk;

import org.jspecify.annotations.NullMarked;
