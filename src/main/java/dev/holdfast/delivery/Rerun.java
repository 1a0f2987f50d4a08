package dev.holdfast.delivery;

import dev.holdfast.push.PushRecord;
import dev.holdfast.store.Progress;
import dev.holdfast.store.Replay;
import java.util.function.Predicate;

/**
 * One consumer's part of a replay: pushes of the journal, or dead letters. A push comes when the ordinary way has passed it,
 * and beside what waits there: it holds nothing up that it did not hold up before. On the delivery's event loop.
 */
final class Rerun extends Way {
    /** Positions below the newest that may come again after a crash, beside what was sent since the last save. */
    private static final int WINDOW = 64;

    private final Replay replay;
    private final String consumer;
    private final Way ordinary;
    private final Predicate<PushRecord> wanted;
    private final LetterBox letters;
    private final Budget budget;
    private long delivered;
    private long failed;
    private boolean over;

    /** @param wanted whether the consumer subscribes to a push; of its dead letters it gets those it no longer does as well */
    Rerun(
            Replay replay,
            Replay.Leg from,
            Parts parts,
            Courier courier,
            Lanes lanes,
            Way ordinary,
            Predicate<PushRecord> wanted,
            LetterBox letters) {
        super(from.consumer(), parts, source(replay, from.consumer(), parts), courier, lanes);
        this.replay = replay;
        this.consumer = from.consumer();
        this.ordinary = ordinary;
        this.wanted = wanted;
        this.letters = letters;
        this.budget = new Budget(replay.rate());
        this.delivered = from.delivered();
        this.failed = from.failed();
    }

    private static Source source(Replay replay, String consumer, Parts parts) {
        return replay.source() == Replay.Source.JOURNAL
                ? parts.journal()::read
                : new LetterSource(parts.store().deadLetters(), consumer);
    }

    /** How far it has come. */
    Replay.Leg leg() {
        Progress progress = lanes().progress(isOver() ? 0 : WINDOW);
        return new Replay.Leg(consumer, progress, delivered, failed);
    }

    boolean isDone() {
        return lanes().front() >= replay.filter().to() && lanes().size() == 0;
    }

    /** Is part of the same life of the consumer as another way. */
    boolean isBeside(Way other) {
        return ordinary == other;
    }

    /** Nothing more is sent; what is under way comes back. */
    void stop() {
        over = true;
    }

    @Override
    long end() {
        return Math.min(replay.filter().to(), ordinary.lanes().front());
    }

    @Override
    boolean wants(PushRecord push) {
        return replay.filter().matches(push) && (!isReplay() || wanted.test(push));
    }

    @Override
    boolean isOver() {
        return over || ordinary.isOver();
    }

    @Override
    int allowance() {
        return isOver() ? 0 : budget.left();
    }

    @Override
    void sent(int count) {
        budget.spend(count);
    }

    @Override
    long closedFrom(String lane) {
        return ordinary.lanes().undoneFrom(lane);
    }

    @Override
    boolean isWithdrawn(PushRecord push) {
        return !isReplay() && letters.isGone(push.seq());
    }

    @Override
    void handled(PushRecord push) {
        delivered++;
        if (isReplay()) {
            letters.handledAgain(push.seq());
        } else {
            letters.mended(push, this);
        }
    }

    @Override
    void buried(PushRecord push) {
        failed++;
        if (isReplay()) {
            letters.add(push.seq());
        } else {
            letters.kept(push.seq());
        }
    }

    @Override
    void unsaved(PushRecord push) {
        letters.unsaved(push.seq());
    }

    @Override
    boolean comesAgain() {
        return true;
    }

    @Override
    boolean isReplay() {
        return replay.source() == Replay.Source.JOURNAL;
    }
}
