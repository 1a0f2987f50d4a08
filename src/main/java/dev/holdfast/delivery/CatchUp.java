package dev.holdfast.delivery;

import dev.holdfast.push.PushRecord;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads again for the lanes of one way that are behind and could go on: one reading for all of them, from
 * the one that is furthest behind. On the delivery's event loop.
 */
final class CatchUp {
    private static final Logger LOG = LoggerFactory.getLogger(CatchUp.class);

    private final String consumer;
    private final Parts parts;
    private final Way.Source source;
    private final Lanes lanes;
    private final Predicate<PushRecord> wanted;
    private final BooleanSupplier slowed;
    private final Runnable onPushes;
    private boolean reading;

    /**
     * @param slowed whether the consumer is
     * @param onPushes some lanes have pushes again
     */
    CatchUp(
            String consumer,
            Parts parts,
            Way.Source source,
            Lanes lanes,
            Predicate<PushRecord> wanted,
            BooleanSupplier slowed,
            Runnable onPushes) {
        this.consumer = consumer;
        this.parts = parts;
        this.source = source;
        this.lanes = lanes;
        this.wanted = wanted;
        this.slowed = slowed;
        this.onPushes = onPushes;
    }

    /** Reads on, unless it does already or no lane asks for it. */
    void run() {
        if (reading || lanes.behindCount() == 0 || !lanes.hasMemory()) {
            return;
        }
        Map<Lane, Long> hungry = lanes.hungry(slowed.getAsBoolean());
        if (hungry.isEmpty()) {
            return;
        }
        reading = true;
        long from = Collections.min(hungry.values());
        long front = lanes.front();
        parts.reader()
                .executeBlocking(() -> source.read(from, parts.bounds().read(), Bounds.READ_BYTES), false)
                .onComplete(
                        pushes -> {
                            reading = false;
                            take(pushes, front, hungry);
                            onPushes.run();
                        },
                        failure -> {
                            reading = false;
                            LOG.warn(
                                    "{}: pushes can't be read again from {}: {}", consumer, from, failure.getMessage());
                        });
    }

    private void take(List<PushRecord> pushes, long front, Map<Lane, Long> hungry) {
        long last = front;
        for (PushRecord push : pushes) {
            if (push.seq() > front) {
                last = front;
                break;
            }
            last = push.seq();
            if (wanted.test(push)) {
                lanes.takeAgain(push, hungry);
            }
        }
        lanes.readUpTo(last, hungry);
    }
}
