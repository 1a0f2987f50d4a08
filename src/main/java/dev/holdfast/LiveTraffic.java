package dev.holdfast;

import dev.holdfast.delivery.Delivery;
import dev.holdfast.journal.DiskLadder;
import dev.holdfast.journal.DiskState;
import dev.holdfast.management.EndpointState;
import dev.holdfast.management.TrafficControl;
import dev.holdfast.metrics.LatencyHistogram;
import dev.holdfast.receiver.Endpoint;
import dev.holdfast.receiver.EndpointTraffic;
import dev.holdfast.receiver.Endpoints;
import dev.holdfast.receiver.Receiver;
import dev.holdfast.store.Quarantine;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** What comes in and goes out, for the management API. */
record LiveTraffic(Endpoints open, Receiver receiver, DiskLadder ladder, Delivery delivery, Quarantine quarantine)
        implements TrafficControl {
    @Override
    public List<EndpointState> endpoints() {
        return open.all().stream()
                .map(this::state)
                .sorted(Comparator.comparing(EndpointState::name))
                .toList();
    }

    private EndpointState state(Endpoint endpoint) {
        EndpointTraffic traffic = receiver.traffic(endpoint.name());
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
        return receiver.traffic("").refused();
    }

    @Override
    public LatencyHistogram acknowledgements() {
        return receiver.acknowledgements();
    }

    @Override
    public DiskState disk() {
        return ladder.state();
    }

    /** The delivery has none before it is deployed. */
    @Override
    public Map<String, Long> lags() {
        return delivery.lags();
    }

    @Override
    public long quarantined() {
        return quarantine.count();
    }
}
