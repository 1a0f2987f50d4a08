/**
 * The HTTP edge: bounds and times every request, verifies the signature over the raw bytes, hands the push to the journal
 * and answers when it is durable. Only the signature and the storage decide the answer to a well-formed request.
 */
@NullMarked
package dev.holdfast.receiver;

import org.jspecify.annotations.NullMarked;
