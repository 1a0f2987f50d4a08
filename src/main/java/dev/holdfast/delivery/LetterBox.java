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
    private final LetterCount count;
    /** Those whose push comes once more on the ordinary way: a crash came between the letter and the cursor. */
    private final Set<Long> unsettled;
    /** Those that could not be saved, though the journal may find them when it is opened the next time. */
    private final Set<Long> unsaved = new HashSet<>();
    /** Those that are no more, while a retry may still have them in memory. */
    private final Set<Long> gone = ConcurrentHashMap.newKeySet();

    /** Those that were handled, until the journal has let them go. */
    private final Set<Long> leaving = new HashSet<>();

    private final AtomicInteger retries = new AtomicInteger();

    /** @param unsettled positions of the letters that the cursor has not passed */
    LetterBox(String consumer, Parts parts, LetterCount count, Collection<Long> unsettled) {
        this.consumer = consumer;
        this.parts = parts;
        this.count = count;
        this.unsettled = new HashSet<>(unsettled);
    }

    /** A push was buried, and not on a retry. */
    void add(long seq) {
        kept(seq);
        if (unsaved.remove(seq)) {
            count.look();
        } else if (!unsettled.remove(seq)) {
            count.added();
        }
    }

    /** A push of which there was no dead letter could not be made one, and may be one all the same. */
    void unsaved(long seq) {
        if (!unsettled.contains(seq)) {
            unsaved.add(seq);
        }
    }

    /** A push was handled, and not on a retry; if it is a dead letter that it should not be, it no longer is. */
    void handledAgain(long seq) {
        if (!unsettled.isEmpty() && unsettled.remove(seq)) {
            remove(seq, 0, count::removed);
        } else if (!unsaved.isEmpty() && unsaved.remove(seq)) {
            remove(seq, 0, count::look);
        }
    }

    /** A retry has had a dead letter handled after all. */
    void mended(PushRecord push, Way retry) {
        remove(push.seq(), retry.isOver() ? 0 : 1, count::removed);
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

    /** A dead letter stays one: its push was buried once more. */
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
     * @param counted tells the count of it
     */
    private void remove(long seq, int knowing, Runnable counted) {
        leaving.add(seq);
        count.moves();
        Future.fromCompletionStage(parts.store().deadLetters().remove(consumer, seq), parts.context())
                .onComplete(removed -> {
                    if (retries.get() > knowing) {
                        gone.add(seq);
                    }
                    leaving.remove(seq);
                    if (removed.succeeded()) {
                        counted.run();
                    } else {
                        LOG.error("{}: push {} was handled and stays a dead letter", consumer, seq, removed.cause());
                    }
                    count.moved();
                });
    }
}
