package dev.holdfast.token;

import dev.holdfast.consumer.AccessToken;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;

/**
 * The pair in use, and its age. The age is the larger of two: by the machine's clock, which goes on while the machine
 * sleeps, and by the process's monotonic time, which never jumps back. So a clock that jumps forward causes an early
 * renewal, and one that jumps back does no harm.
 */
final class CurrentToken {
    private static final Duration TOLERANCE = Duration.ofSeconds(1);

    private final TokenPair pair;
    private final Timing timing;
    private final Duration renewalAge;
    private final long obtainedNanos;

    /** @param obtainedNanos when the pair's request was sent, in the process's time */
    CurrentToken(TokenPair pair, Timing timing, Duration renewalAge, long obtainedNanos) {
        this.pair = pair;
        this.timing = timing;
        this.renewalAge = renewalAge;
        this.obtainedNanos = obtainedNanos;
    }

    /** A kept pair. If it begins in the future, the clock was set back, and the pair is renewed now. */
    static CurrentToken kept(TokenPair pair, Timing timing, Duration renewalAge) {
        Duration age = Duration.between(pair.obtainedAt(), timing.wall());
        Duration sure = age.isNegative() ? renewalAge : Collections.min(List.of(age, pair.lifetime()));
        return new CurrentToken(pair, timing, renewalAge, timing.nanos() - sure.toNanos());
    }

    TokenPair pair() {
        return pair;
    }

    /** Time until it expires; not positive when it has. */
    Duration left() {
        return pair.lifetime().minus(age());
    }

    boolean isGood() {
        return left().compareTo(Duration.ZERO) > 0;
    }

    /** Time until it is to be renewed; not positive when it is due. */
    Duration untilRenewal() {
        return renewalAge.minus(age());
    }

    boolean isDue() {
        return untilRenewal().compareTo(Duration.ZERO) <= 0;
    }

    /** The token as it is handed out. Its expiry is the written one, unless the clock has been set since. */
    AccessToken accessToken() {
        Instant written = pair.expiresAt();
        Instant reckoned = timing.wall().plus(left());
        boolean clockWasSet = Duration.between(reckoned, written).abs().compareTo(TOLERANCE) > 0;
        return new AccessToken(pair.accessToken(), pair.scope(), clockWasSet ? reckoned : written);
    }

    private Duration age() {
        Duration byWall = Duration.between(pair.obtainedAt(), timing.wall());
        Duration byNanos = Duration.ofNanos(timing.nanos() - obtainedNanos);
        return byWall.compareTo(byNanos) > 0 ? byWall : byNanos;
    }
}
