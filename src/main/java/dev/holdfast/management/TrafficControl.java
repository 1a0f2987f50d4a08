package dev.holdfast.management;

import dev.holdfast.journal.DiskState;
import dev.holdfast.metrics.LatencyHistogram;
import java.util.List;
import java.util.Map;

/** What comes in and goes out, as the overview needs it. Any thread that may block. */
public interface TrafficControl {
    /** As they are open now, by name. */
    List<EndpointState> endpoints();

    /** Requests that were refused because there is no endpoint at their path, by cause. */
    Map<String, Long> refusedElsewhere();

    /** From the end of a push's body to its 200. */
    LatencyHistogram acknowledgements();

    /** The disk that the journal lies on. */
    DiskState disk();

    /** How many pushes each consumer of the configuration is behind, as far as that is known. */
    Map<String, Long> lags();

    /** Requests in the quarantine. */
    long quarantined();
}
