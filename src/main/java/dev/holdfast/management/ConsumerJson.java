package dev.holdfast.management;

import dev.holdfast.consumer.ConsumerState;
import dev.holdfast.consumer.LastFailure;
import dev.holdfast.store.LaneState;
import dev.holdfast.store.WayStation;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Consumers, their lanes, and pushes on their way to them, as the API shows them. */
final class ConsumerJson {
    private static final double TENTHS = 10;

    private ConsumerJson() {}

    /** @param away why it does not run, empty when it is still starting; null: it runs */
    static JsonObject of(ConsumerState state, @Nullable String away) {
        boolean configured = !state.events().isEmpty();
        JsonObject shown = new JsonObject().put("name", state.name()).put("state", label(phase(state, away)));
        if (!configured) {
            shown.put("because", "it is not configured");
        } else if (away != null && !away.isEmpty()) {
            shown.put("because", away);
        }
        shown.put("events", new JsonArray(state.events()));
        if (!state.verticle().isEmpty()) {
            shown.put("verticle", state.verticle());
        }
        if (state.handled() >= 0) {
            shown.put("handled", state.handled());
        }
        if (configured) {
            shown.put("lag", state.lag())
                    .put("lagSeconds", Math.round(state.lagSeconds() * TENTHS) / TENTHS)
                    .put("rate", Math.round(state.rate() * TENTHS) / TENTHS);
        }
        if (state.lanesBlocked() >= 0) {
            shown.put("lanesBlocked", state.lanesBlocked()).put("lanesBackingOff", state.lanesBackingOff());
        }
        if (state.blockedBy() != null) {
            shown.put("blockedBy", of(state.blockedBy()));
        }
        shown.put("deadLetters", state.deadLetters());
        LastFailure failure = state.lastFailure();
        return failure == null ? shown : shown.put("lastFailure", of(failure));
    }

    private static ConsumerState.Phase phase(ConsumerState state, @Nullable String away) {
        if (away == null || state.phase() == ConsumerState.Phase.PAUSED) {
            return state.phase();
        }
        return away.isEmpty() ? ConsumerState.Phase.STARTING : ConsumerState.Phase.STOPPED;
    }

    private static JsonObject of(LastFailure failure) {
        return new JsonObject()
                .put("at", PushView.time(failure.at()))
                .put("seq", failure.seq())
                .put("error", failure.error());
    }

    static JsonObject of(LaneState lane) {
        JsonObject shown = new JsonObject().put("lane", lane.lane()).put("seq", lane.seq());
        if (lane.event() != null) {
            shown.put("event", lane.event());
        }
        shown.put("waiting", lane.waiting());
        WayStation.FailedAttempts failed = lane.failed();
        if (failed != null) {
            shown.put("attempts", failed.count())
                    .put("firstFailedAt", PushView.time(failed.firstAt()))
                    .put("lastError", failed.lastError());
        }
        return lane.nextAttemptAt() == 0 ? shown : shown.put("nextAttemptAt", PushView.time(lane.nextAttemptAt()));
    }

    static JsonObject of(WayStation station) {
        JsonObject shown = new JsonObject().put("consumer", station.consumer()).put("state", label(station.state()));
        if (station.lane() != null) {
            shown.put("lane", station.lane());
        }
        WayStation.FailedAttempts failed = station.failed();
        if (failed != null) {
            shown.put("attempts", failed.count())
                    .put("firstFailedAt", PushView.time(failed.firstAt()))
                    .put("lastFailedAt", PushView.time(failed.lastAt()))
                    .put("lastError", failed.lastError());
        }
        if (station.nextAttemptAt() > 0) {
            shown.put("nextAttemptAt", PushView.time(station.nextAttemptAt()));
        }
        if (station.behind() > 0) {
            shown.put("behindSeq", station.behind());
        }
        return station.reason() == null ? shown : shown.put("reason", station.reason());
    }

    private static String label(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
