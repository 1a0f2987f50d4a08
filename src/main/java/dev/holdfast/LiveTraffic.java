package dev.holdfast;

import dev.holdfast.management.EndpointState;
import dev.holdfast.management.TrafficControl;
import dev.holdfast.metrics.LatencyHistogram;
import dev.holdfast.receiver.Endpoint;
import dev.holdfast.receiver.EndpointTraffic;
import dev.holdfast.store.StoreException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** What comes in and goes out, for the management API. */
record LiveTraffic(Wiring wired) implements TrafficControl {
    @Override
    public List<EndpointState> endpoints() {
        return wired.endpoints.all().stream()
                .map(this::state)
                .sorted(Comparator.comparing(EndpointState::name))
                .toList();
    }

    private EndpointState state(Endpoint endpoint) {
        EndpointTraffic traffic = wired.receiver.traffic(endpoint.name());
        return new EndpointState(
                endpoint.name(),
                endpoint.path(),
                endpoint.signatureHeader(),
                endpoint.secrets().count(),
                traffic.accepted(),
                traffic.duplicates(),
                traffic.refused(),
                traffic.lastAcceptedAt());
    }

    @Override
    public Map<String, Long> refusedElsewhere() {
        return wired.receiver.traffic("").refused();
    }

    @Override
    public LatencyHistogram acknowledgements() {
        return wired.receiver.acknowledgements();
    }

    @Override
    public long diskFree() {
        return wired.ladder.state().free();
    }

    /** The delivery has none before it is deployed. */
    @Override
    public Map<String, Long> lags() {
        return wired.delivery.lags();
    }

    @Override
    public long deadLetters() {
        try {
            return wired.delivery.lags().keySet().stream()
                    .mapToLong(wired.store.deadLetters()::count)
                    .sum();
        } catch (StoreException e) {
            // Not opened yet: what is known is that nothing is.
            return 0;
        }
    }

    @Override
    public long quarantined() {
        return wired.quarantine.count();
    }
}
