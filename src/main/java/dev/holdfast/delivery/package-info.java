/**
 * From the journal to the consumers. Knows consumers as bus addresses that answer with a receipt; never who serves them.
 *
 * <p>{@link dev.holdfast.delivery.Delivery} follows the journal: it publishes each push live and offers it to each consumer's
 * subscription. What a failing consumer does to its pushes is decided in six places, and read best in this order:
 *
 * <ol>
 *   <li>{@code Feed} takes the pushes of one source, just committed ({@code LiveFeed}) or again ({@code ReplayFeed}), and spreads
 *       them over lanes;
 *   <li>{@code Lanes} holds those that have something to do, within the bounds of memory; {@code Lane} has the states;
 *   <li>{@code Dispatcher} gives lanes their turns, at most so many at once, as {@code LaneScheduler} and {@code CircuitBreaker}
 *       let it;
 *   <li>{@code BatchSender} makes a turn: it has the feed read back what the lane has noted ({@code SourcePages}), sends a batch,
 *       and settles each push by the receipt: done, tried again ({@code RetryPolicy}), or a dead letter ({@code DeadLetterWriter});
 *   <li>{@code Checkpoints} makes that durable: the position, and references to what waits in blocked lanes;
 *   <li>{@code Resumption} is where all of it goes on after a restart.
 * </ol>
 *
 * <p>The rest hangs from these: who is configured, there, or paused ({@code ConfiguredConsumers}); replays on their way
 * ({@code RunningReplays}); what a full disk takes ({@code GivenUp}); notes of the positions in the journal ({@code PositionNotes});
 * what operators see ({@code ConsumerViews}, {@code DeliveryStatuses}, the meters).
 */
@NullMarked
package dev.holdfast.delivery;

import org.jspecify.annotations.NullMarked;
