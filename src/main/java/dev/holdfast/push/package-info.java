/**
 * What a push is: the record kept of it, the envelope read out of its body, its byte form in the journal and the
 * message that consumers get. Nothing here does input or output, and nothing here knows who receives, keeps or delivers
 * a push.
 */
@NullMarked
package dev.holdfast.push;

import org.jspecify.annotations.NullMarked;
