package dev.holdfast.receiver;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

class EndpointMetersTest {
    private final EndpointMeters meters = new EndpointMeters(new SimpleMeterRegistry(), "default");

    /** Or the alert on an endpoint without pushes would say nothing until that time has come. */
    @Test
    void aPushThatCameWhileTheClockWasAheadIsNotTheLastOneForHours() {
        meters.accepted(18_000_000);
        meters.accepted(2_000);

        assertThat(meters.traffic().lastAcceptedAt()).isEqualTo(2_000);
    }
}
