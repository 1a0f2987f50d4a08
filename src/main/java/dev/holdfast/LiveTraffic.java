package dev.holdfast;

import dev.holdfast.delivery.Delivery;
import dev.holdfast.journal.DiskLadder;
import dev.holdfast.management.EndpointState;
import dev.holdfast.management.TrafficControl;
import dev.holdfast.quarantine.Quarantine;
import dev.holdfast.receiver.Endpoint;
import dev.holdfast.receiver.EndpointTraffic;
import dev.holdfast.receiver.Endpoints;
import dev.holdfast.receiver.Receiver;
import java.util.Comparator;

/** What comes in and goes out, for the management API. */
final class LiveTraffic {
    private LiveTraffic() {}

    static TrafficControl of(
            Endpoints open, Receiver receiver, DiskLadder ladder, Delivery delivery, Quarantine quarantine) {
        return new TrafficControl(
                () -> open.all().stream()
                        .map(endpoint -> state(endpoint, receiver.traffic(endpoint.name())))
                        .sorted(Comparator.comparing(EndpointState::name))
                        .toList(),
                () -> totals(receiver.traffic()),
                receiver.acknowledgements(),
                ladder::state,
                // The delivery has none before it is deployed.
                delivery::lags,
                quarantine::count);
    }

    private static TrafficControl.Totals totals(EndpointTraffic all) {
        return new TrafficControl.Totals(all.accepted(), all.duplicates(), all.refused());
    }

    private static EndpointState state(Endpoint endpoint, EndpointTraffic traffic) {
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
}
