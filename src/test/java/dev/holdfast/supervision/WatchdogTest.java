package dev.holdfast.supervision;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the process is ended for, and what not. */
@Timeout(60)
class WatchdogTest {
    private final List<Watchdog.Cause> ends = new ArrayList<>();
    private final AtomicLong shortage = new AtomicLong();

    private Watchdog over(Executor loop) {
        return new Watchdog(List.of(loop), shortage::get, ends::add);
    }

    private void check(Watchdog watchdog, int rounds) {
        for (int i = 0; i < rounds && ends.isEmpty(); i++) {
            watchdog.check();
        }
    }

    @Test
    void anEventLoopThatHasDiedEndsItAtOnce() {
        MultiThreadIoEventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        EventLoop loop = loops.next();
        loop.submit(() -> {}).awaitUninterruptibly();
        Watchdog watchdog = over(loop);
        check(watchdog, 1);
        assertThat(ends).isEmpty();

        loops.shutdownGracefully(0, 0, TimeUnit.MILLISECONDS).awaitUninterruptibly();
        check(watchdog, 2);

        assertThat(ends).containsExactly(Watchdog.Cause.DEAD);
    }

    @Test
    void anEventLoopThatAnswersNothingEndsItAfterHalfAMinute() {
        Watchdog watchdog = over(task -> {});

        check(watchdog, 60);
        assertThat(ends).isEmpty();
        check(watchdog, 10);

        assertThat(ends).containsExactly(Watchdog.Cause.HANGING);
    }

    @Test
    void roundsWithoutAnyMemoryEndItAfterAWhile() {
        Watchdog watchdog = over(task -> {});

        for (int i = 1; i < Watchdog.STARVES_AFTER; i++) {
            watchdog.starved();
        }
        assertThat(ends).isEmpty();
        watchdog.starved();

        assertThat(ends).containsExactly(Watchdog.Cause.STARVED);
    }

    @Test
    void roundsWithoutMemoryCountOnlyInARow() {
        Watchdog watchdog = over(Runnable::run);

        for (int i = 0; i < 2 * Watchdog.STARVES_AFTER; i++) {
            watchdog.starved();
            check(watchdog, 1);
        }

        assertThat(ends).isEmpty();
    }

    @Test
    void anEventLoopThatAnswersLateIsNoReason() {
        List<Runnable> tasks = new ArrayList<>();
        Watchdog watchdog = over(tasks::add);

        for (int i = 0; i < 10; i++) {
            check(watchdog, 50);
            tasks.forEach(Runnable::run);
            tasks.clear();
        }

        assertThat(ends).isEmpty();
    }

    @Test
    void memoryThatRunsOutAgainAndAgainEndsIt() {
        Watchdog watchdog = over(Runnable::run);
        shortage.set(TimeUnit.SECONDS.toNanos(9));
        check(watchdog, 1);
        assertThat(ends).isEmpty();

        shortage.set(TimeUnit.SECONDS.toNanos(11));
        check(watchdog, 1);

        assertThat(ends).containsExactly(Watchdog.Cause.SHORTAGE);
    }
}
