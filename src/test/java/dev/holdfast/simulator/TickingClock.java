package dev.holdfast.simulator;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that a test moves. */
final class TickingClock extends Clock {
    private long seconds;

    TickingClock(long seconds) {
        this.seconds = seconds;
    }

    void forward(long by) {
        seconds += by;
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochSecond(seconds);
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}
