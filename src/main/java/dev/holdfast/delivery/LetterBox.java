package dev.holdfast.delivery;

import dev.holdfast.push.PushRecord;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The dead letters of one consumer, as far as its ways have to know of them. On the delivery's event loop, unless said. */
final class LetterBox {
    private static final Logger LOG = LoggerFactory.getLogger(LetterBox.class);

    private final String consumer;
    private final Parts parts;
    private final DeliveryMeters meters;
    /** Those whose push comes once more on the ordinary way: a crash came between the letter and the cursor. */
    private final Set<Long> unsettled;
    /** Those that are no more, while a retry may still have them in memory. */
    private final Set<Long> gone = ConcurrentHashMap.newKeySet();

    /** Those that were handled, until the journal has let them go. */
    private final Set<Long> leaving = new HashSet<>();

    private final AtomicInteger retries = new AtomicInteger();
    /** Letters that the journal is told to keep or to let go, and what came of it is not counted yet. */
    private int moving;
    /** Those that were, and are counted. */
    private long moved;

    private long movedAtTick;
    /** Letters moved while they were counted: some may be counted twice, or not at all. */
    private boolean doubtful;

    /** @param unsettled positions of the letters that the cursor has not passed */
    LetterBox(String consumer, Parts parts, DeliveryMeters meters, Collection<Long> unsettled) {
        this.consumer = consumer;
        this.parts = parts;
        this.meters = meters;
        this.unsettled = new HashSet<>(unsettled);
    }

    /** A letter is on its way into the journal or out of it. */
    void moves() {
        moving++;
    }

    /** It has arrived, or never will. */
    void moved() {
        moving--;
        moved++;
    }

    /** A push was buried on the ordinary way; true when it was no dead letter before. */
    boolean add(long seq) {
        kept(seq);
        return unsettled.isEmpty() || !unsettled.remove(seq);
    }

    /** A push was handled on the ordinary way; if it is a dead letter it no longer is. */
    void handledAgain(long seq) {
        if (!unsettled.isEmpty() && unsettled.remove(seq)) {
            remove(seq, 0);
        }
    }

    /** A retry has had a dead letter handled after all. */
    void mended(PushRecord push, Way retry) {
        remove(push.seq(), retry.isOver() ? 0 : 1);
    }

    /** A dead letter is no more: no retry that has it in memory is to deliver it. Any thread. */
    void discarded(long seq) {
        if (retries.get() > 0) {
            gone.add(seq);
        }
    }

    boolean isGone(long seq) {
        return leaving.contains(seq) || gone.contains(seq);
    }

    /** A push has become a dead letter, be it once more. */
    void kept(long seq) {
        gone.remove(seq);
    }

    void retryBegins() {
        if (retries.getAndIncrement() == 0) {
            gone.clear();
        }
    }

    /** What it has under way may still come back: {@link #isGone} goes on telling. */
    void retryEnds() {
        retries.decrementAndGet();
    }

    /**
     * Until that is durable any retry may read the letter, and those that are on their way then may have read it.
     *
     * @param knowing how many retries know of it themselves
     */
    private void remove(long seq, int knowing) {
        leaving.add(seq);
        moves();
        Future.fromCompletionStage(parts.journal().removeDeadLetter(consumer, seq), parts.context())
                .onComplete(removed -> {
                    if (retries.get() > knowing) {
                        gone.add(seq);
                    }
                    leaving.remove(seq);
                    moved();
                })
                .onSuccess(removed -> meters.mended())
                .onFailure(failure ->
                        LOG.error("{}: push {} was handled and stays a dead letter", consumer, seq, failure));
    }

    /** Looks how many there are. Any thread. */
    void count() {
        parts.context().runOnContext(v -> look());
    }

    /** Now and then: looks again when what it saw is in doubt and nothing has moved for a while. */
    void tick() {
        if (doubtful && moving == 0 && moved == movedAtTick) {
            look();
        }
        movedAtTick = moved;
    }

    private void look() {
        long before = moving + moved;
        doubtful = moving > 0;
        parts.reader()
                .executeBlocking(() -> parts.journal().countDeadLetters(consumer), false)
                .onSuccess(count -> {
                    meters.deadLetters(count);
                    doubtful |= moving + moved != before;
                })
                .onFailure(
                        failure -> LOG.warn("{}: dead letters can't be counted: {}", consumer, failure.getMessage()));
    }
}
