/**
 * From the journal to the consumers: the live publishing of every push on the bus, and per consumer a durable cursor, lanes
 * and retries. Knows consumers as bus addresses that answer with a receipt; never who serves them.
 */
@NullMarked
package dev.holdfast.delivery;

import org.jspecify.annotations.NullMarked;
