package dev.holdfast.delivery;

import dev.holdfast.push.PushRecord;
import java.util.List;
import java.util.Set;

/**
 * The pushes that come in: from memory while the consumer keeps up, read from the journal while it lags. Who catches up while
 * pushes come in gets a share of the machine: as many as come in, and so many a second beside. On the delivery's event
 * loop.
 */
final class LiveFeed extends Feed {
    private static final int RATE_A_PROCESSOR = 750;
    private static final int BURST = 1_000;

    private final Set<Long> settled;
    /** The newest position known here. What is committed but not offered yet is on its way, and not to be read. */
    private long offered;

    LiveFeed(Resumption start, Limits limits, FeedContext shared) {
        super(Kind.LIVE, start, shared.delivery().journal(), limits, share(), BURST, shared);
        rate().earn(BURST);
        this.settled = start.deadLetters();
        this.offered = shared.delivery().journal().lastSeq();
    }

    private static int share() {
        return RATE_A_PROCESSOR * Runtime.getRuntime().availableProcessors();
    }

    /** Just-committed pushes. */
    void committed(List<PushRecord> pushes) {
        cameIn(pushes.get(pushes.size() - 1).seq());
        offer(pushes);
    }

    private void cameIn(long last) {
        rate().earn(Math.max(0, last - offered));
        offered = Math.max(offered, last);
    }

    /** Looks for pushes up to {@code last} that were never offered. */
    void tick(long last) {
        cameIn(last);
        tick();
    }

    @Override
    long end() {
        return offered;
    }

    /** Not what became a dead letter before a crash and after the last checkpoint. */
    @Override
    boolean wants(PushRecord push) {
        return shared().wants(push) && (settled.isEmpty() || !settled.contains(push.seq()));
    }

    @Override
    long closedFrom(String lane) {
        return checkpoints().front() + 1;
    }

    @Override
    boolean isLimited() {
        return shared().delivery().receiving().getAsBoolean();
    }
}
