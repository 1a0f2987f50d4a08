package dev.holdfast.management;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.journal.DiskState;
import dev.holdfast.metrics.EndpointTraffic;
import dev.holdfast.metrics.LatencyHistogram;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class TrafficHistoryTest {
    private final LatencyHistogram latency = new LatencyHistogram();
    private long accepted;
    private Map<String, Long> lags = Map.of();
    private long seconds;
    private long free = 5;
    private volatile Runnable disk = () -> {};
    private final TrafficControl traffic = new TrafficControl(
            List::of,
            () -> new EndpointTraffic(accepted, 0, Map.of(), 0),
            latency,
            () -> {
                disk.run();
                return new DiskState(free, 5, 5, 0, 0);
            },
            () -> lags,
            () -> 0);
    private final TrafficHistory history =
            new TrafficHistory(traffic, () -> Instant.ofEpochSecond(seconds), () -> TimeUnit.SECONDS.toNanos(seconds));

    private void sample(long more) {
        accepted += more;
        seconds += 2;
        history.sample();
    }

    @Test
    void aRateIsOverTheLastTenSeconds() {
        sample(1_000);
        for (int i = 0; i < 5; i++) {
            sample(20);
        }

        assertThat(history.rates().getDouble("accepted")).isEqualTo(10);
    }

    @Test
    void noMoreThanTenMinutesAreKept() {
        for (int i = 0; i < 1_000; i++) {
            sample(4);
        }

        JsonObject shown = history.show();
        assertThat(shown.getJsonArray("at")).hasSize(TrafficHistory.MOST);
        assertThat(shown.getJsonArray("accepted").stream())
                .hasSize(TrafficHistory.MOST)
                .containsOnly(2.0);
        assertThat(shown.getJsonArray("at").getString(TrafficHistory.MOST - 1))
                .isEqualTo(Instant.ofEpochSecond(seconds).toString());
    }

    @Test
    @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void whoeverLooksDoesNotWaitForADiskThatHangsAndOneSampleDoesAlone() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        Semaphore back = new Semaphore(0);
        disk = () -> {
            asked.countDown();
            back.acquireUninterruptibly();
        };
        CompletableFuture<Void> sampled = CompletableFuture.runAsync(history::sample);
        asked.await();

        history.sample();
        assertThat(history.show().getJsonArray("at")).isEmpty();
        back.release();
        sampled.join();
        assertThat(history.show().getJsonArray("at")).hasSize(1);
    }

    @Test
    void latencyIsNullWhereNothingCameAndAConsumerThatWasNotThereHasNoLag() {
        sample(0);
        lags = Map.of("mine", 3L);
        latency.record(TimeUnit.MILLISECONDS.toNanos(4));
        sample(1);

        JsonObject shown = history.show();
        assertThat(shown.getJsonArray("p50").getValue(0)).isNull();
        assertThat(shown.getJsonArray("p50").getDouble(1)).isBetween(3.0, 5.0);
        assertThat(shown.getJsonObject("lag").getJsonArray("mine").stream()).containsExactly(null, 3L);
        assertThat(history.latency().getDouble("max")).isEqualTo(4);
    }

    @Test
    void freeSpaceThatTheDiskDoesNotTellIsNull() {
        sample(0);
        free = -1;
        sample(0);

        assertThat(history.show().getJsonArray("diskFree").stream()).containsExactly(5L, null);
    }

    @Test
    void noQuantileIsLargerThanTheLongest() {
        latency.record(TimeUnit.MICROSECONDS.toNanos(5_100));
        sample(1);

        JsonObject latency = history.latency();
        assertThat(latency.getDouble("max")).isEqualTo(5.1);
        assertThat(latency.getDouble("p50")).isEqualTo(5.1);
        assertThat(latency.getDouble("p99")).isEqualTo(5.1);
        assertThat(history.show().getJsonArray("p99").getDouble(0)).isEqualTo(5.1);
    }

    /** The longest is written beside the count, so that it may have been taken with the sample before. */
    @Test
    void whereTheLongestIsNotKnownTheBucketsSayIt() {
        latency.record(TimeUnit.MILLISECONDS.toNanos(4));
        latency.takeMax();
        sample(1);

        JsonObject shown = history.latency();
        assertThat(shown.getDouble("max")).isEqualTo(5).isGreaterThanOrEqualTo(shown.getDouble("p99"));
    }
}
