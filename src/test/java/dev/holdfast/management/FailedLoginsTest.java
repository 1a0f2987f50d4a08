package dev.holdfast.management;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is remembered of those who try tokens. */
@Timeout(60)
class FailedLoginsTest {
    private final Vertx vertx = Vertx.vertx();
    private final AtomicLong now = new AtomicLong();
    private final FailedLogins failed = new FailedLogins(vertx, now::get);
    private final AtomicInteger atOnce = new AtomicInteger();

    @AfterEach
    void stop() {
        vertx.close().await();
    }

    private int refusedAtOnce(String address, int times) {
        int before = atOnce.get();
        for (int i = 0; i < times; i++) {
            AtomicInteger later = new AtomicInteger();
            failed.failed(
                    address,
                    () -> {
                        if (later.get() == 0) {
                            atOnce.incrementAndGet();
                        }
                    },
                    () -> {});
            later.set(1);
        }
        return atOnce.get() - before;
    }

    @Test
    void theFirstOnesOfAnAddressAreAnsweredAtOnceAndOthersToo() {
        assertThat(refusedAtOnce("a", 10)).isEqualTo(FailedLogins.FREE - 1);
        assertThat(refusedAtOnce("b", 1)).isEqualTo(1);
    }

    @Test
    void aMinuteLaterItIsForgotten() {
        assertThat(refusedAtOnce("a", 10)).isEqualTo(FailedLogins.FREE - 1);
        now.addAndGet(TimeUnit.SECONDS.toNanos(61));

        assertThat(refusedAtOnce("a", 1)).isEqualTo(1);
    }

    @Test
    void noMoreThanSoManyAddressesAreRemembered() {
        assertThat(refusedAtOnce("a", 10)).isEqualTo(FailedLogins.FREE - 1);
        for (int i = 1; i < FailedLogins.MOST_ADDRESSES; i++) {
            assertThat(refusedAtOnce("address " + i, 1)).isEqualTo(1);
        }
        assertThat(refusedAtOnce("a", 1)).isZero();

        for (int i = 0; i < FailedLogins.MOST_ADDRESSES; i++) {
            assertThat(refusedAtOnce("another " + i, 1)).isEqualTo(1);
        }
        assertThat(refusedAtOnce("a", 1)).isEqualTo(1);
    }
}
