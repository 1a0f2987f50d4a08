/**
 * The HTTP edge: bounds and times every request, verifies the signature over the raw bytes, hands the push to the journal
 * and answers when it is durable. Only the signature and the storage decide the answer to a well-formed request. What
 * nobody has verified yet takes its memory from a room of its own, never from what is verified and waits for the journal.
 */
@NullMarked
package dev.holdfast.receiver;

import org.jspecify.annotations.NullMarked;
