package dev.holdfast.delivery;

import dev.holdfast.push.PushRecord;
import java.util.List;
import java.util.function.Predicate;

/**
 * A consumer's way through the journal: takes just-committed pushes from memory while it keeps up, and reads the journal
 * while it lags. On the delivery's event loop.
 */
final class OrdinaryWay extends Way {
    private final Predicate<PushRecord> wanted;
    private final Cursor cursor;
    private final LetterBox letters;
    /** The newest position known here. What is committed but not offered yet is on its way, and not to be read. */
    private long offered;

    private boolean over;

    OrdinaryWay(
            String consumer,
            Parts parts,
            Courier courier,
            Lanes lanes,
            Predicate<PushRecord> wanted,
            Cursor cursor,
            LetterBox letters) {
        super(consumer, parts, parts.journal()::read, courier, lanes);
        this.wanted = wanted;
        this.cursor = cursor;
        this.letters = letters;
    }

    /** Just-committed pushes. What can't be taken now is read from the journal later. */
    void offer(List<PushRecord> pushes) {
        offered = Math.max(offered, pushes.get(pushes.size() - 1).seq());
        long seen = lanes().front() + 1 - pushes.get(0).seq();
        if (over || isReading() || seen < 0 || !hasRoom()) {
            read();
        } else if (seen < pushes.size()) {
            take(pushes.subList((int) seen, pushes.size()));
        }
    }

    /** Saves the cursor, and looks for pushes up to {@code last} that were never offered. */
    void tick(long last) {
        offered = Math.max(offered, last);
        tick();
        cursor.saveIfIdle();
    }

    /** Nothing more is sent or read. */
    void stop() {
        over = true;
    }

    @Override
    long end() {
        return offered;
    }

    @Override
    boolean wants(PushRecord push) {
        return wanted.test(push);
    }

    @Override
    boolean isOver() {
        return over;
    }

    @Override
    int allowance() {
        return over || cursor.farBehind() ? 0 : Integer.MAX_VALUE;
    }

    @Override
    void sent(int count) {
        // However many: a consumer's own pace is the only one.
    }

    @Override
    long closedFrom(String lane) {
        return Long.MAX_VALUE;
    }

    @Override
    boolean isWithdrawn(PushRecord push) {
        return false;
    }

    @Override
    void handled(PushRecord push) {
        letters.handledAgain(push.seq());
    }

    @Override
    void buried(PushRecord push) {
        letters.add(push.seq());
    }

    @Override
    void unsaved(PushRecord push) {
        letters.unsaved(push.seq());
    }

    @Override
    boolean comesAgain() {
        return false;
    }

    @Override
    boolean isReplay() {
        return false;
    }

    @Override
    void advanced() {
        cursor.advance();
        super.advanced();
    }
}
