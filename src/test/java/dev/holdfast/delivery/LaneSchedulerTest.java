package dev.holdfast.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.delivery.Lane.State;
import io.vertx.core.Vertx;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LaneSchedulerTest {
    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void close() {
        vertx.close().await();
    }

    @Test
    void aLaneThatBacksOffWithReferencesAloneHasNoFailureToTell() {
        LaneScheduler scheduler = new LaneScheduler(vertx, () -> {});
        Lane lane = new Lane("lane");
        lane.addReference(7);
        lane.becomes(State.READY);
        lane.becomes(State.IN_FLIGHT);
        scheduler.backOff(lane, 60_000);

        assertThat(scheduler.backingOff()).isEqualTo(1);
        assertThat(scheduler.anyFailure()).isNull();
    }
}
