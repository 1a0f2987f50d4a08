package dev.holdfast.receiver;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Whether a body that is being read brings enough: for its deadline, and for the room that others may wait for. */
final class BodyProgress {
    private final LoopState loop;
    private final Deadlines.Timed body;
    /** How long the body was when it had last brought enough for its deadline, and for the room. */
    private int timedMark;

    private int roomMark;

    BodyProgress(LoopState loop, Deadlines.Timed body) {
        this.loop = loop;
        this.body = body;
    }

    /** From now on it is the client's turn. */
    void begin(int length, Room.@Nullable Claim claim) {
        roomMark = length;
        if (claim != null) {
            claim.reading(loop.deadlines().now());
        }
    }

    void note(int length, Room.@Nullable Claim claim) {
        if (length - timedMark >= Deadlines.PROGRESS_BYTES) {
            timedMark = length;
            loop.deadlines().bodyProgressed(body);
        }
        if (claim != null && length - roomMark >= enough(claim.bytes)) {
            begin(length, claim);
        }
    }

    /** What lets a body of so many bytes be complete in its time: with less it only keeps the room from others. */
    private long enough(long bytes) {
        Duration inAll = loop.receiver().config().bodyTimeout();
        return Math.max(Deadlines.PROGRESS_BYTES, bytes * Room.PROGRESS_TIMEOUT.toMillis() / inAll.toMillis());
    }
}
