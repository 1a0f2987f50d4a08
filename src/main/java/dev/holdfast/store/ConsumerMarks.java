package dev.holdfast.store;

import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * What is kept of consumers beside their positions: where each began, and which are paused. Both outlive the consumer's
 * configuration. Any thread; futures complete when what they stand for is durable, on the store's own thread, and fail with a
 * {@link StoreException} when the disk does.
 */
public interface ConsumerMarks {
    /** A consumer is new, and gets what comes behind a position. Never blocks. */
    CompletionStage<Void> began(String consumer, long position);

    /** Behind which position each began; those of whom that was never noted are left out. Cheap. */
    Map<String, Long> starts();

    /**
     * A consumer gets no pushes from now on. Never blocks.
     *
     * @param at milliseconds since the epoch
     */
    CompletionStage<Void> pause(String consumer, long at);

    /** A consumer gets pushes again; also when it was not paused. Never blocks. */
    CompletionStage<Void> resume(String consumer);

    /** Those that are paused, and since when, milliseconds since the epoch. Cheap. */
    Map<String, Long> paused();
}
