package dev.holdfast.management;

import dev.holdfast.journal.DiskState;
import dev.holdfast.metrics.EndpointTraffic;
import dev.holdfast.metrics.LatencyHistogram;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Figures of what comes in and goes out, for the overview. Any thread that may block.
 *
 * @param endpoints as they are open now, by name
 * @param totals of all that came in, also at endpoints that are gone, and where there is none
 * @param acknowledgements from the end of a push's body to its 200
 * @param disk the one that the journal lies on
 * @param lags how many positions each consumer of the configuration is behind, as far as that is known
 * @param quarantined requests in the quarantine
 */
public record TrafficControl(
        Supplier<List<EndpointState>> endpoints,
        Supplier<EndpointTraffic> totals,
        LatencyHistogram acknowledgements,
        Supplier<DiskState> disk,
        Supplier<Map<String, Long>> lags,
        LongSupplier quarantined) {}
