package dev.holdfast.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.simulator.Answer;
import dev.holdfast.simulator.Faults;
import dev.holdfast.simulator.Pace;
import dev.holdfast.simulator.Platform;
import dev.holdfast.simulator.PushSource;
import dev.holdfast.simulator.Script;
import dev.holdfast.simulator.SimulatedPush;
import dev.holdfast.simulator.Wire;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.URI;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * Signed pushes of 3 KB at fixed times, whatever becomes of earlier ones. Latency counts from the time at which a push was
 * due, so that a receiver that stalls can't hide it. Each family of events is a lane.
 */
final class SteadyLoad {
    private static final int BODY_BYTES = 3072;
    private static final int CONNECTIONS = 64;
    private static final int LANES = 16;
    private static final List<String> EVENTS =
            IntStream.range(0, LANES).mapToObj(n -> "family" + n + ".happened").toList();

    private final Platform platform;
    private final Future<?> end;
    private final Set<Long> acknowledged;
    private volatile Histogram micros = new Histogram(3);
    private long refused;

    /** @param acknowledged gets the signature of each push that is answered {@code 200}; of any thread */
    SteadyLoad(Vertx vertx, int port, int rate, Set<Long> acknowledged) {
        this.acknowledged = acknowledged;
        Script script = new Script(EVENTS, "bench", "client", BODY_BYTES, Script.OVERSIZE);
        PushSource source =
                new PushSource(script, BenchSettings.SECRET.getBytes(UTF_8), Clock.systemUTC(), System.nanoTime());
        URI target = URI.create("http://127.0.0.1:" + port + "/webhook");
        Wire usual = Wire.to(target);
        Wire wire = new Wire(
                usual.targets(), usual.signatureHeader(), CONNECTIONS, usual.timeout(), usual.slowBody(), false);
        platform = new Platform(vertx, source, wire, new Pace(rate, null, null), Faults.none(), this::answered);
        end = platform.run();
    }

    /** On the event loop. */
    private void answered(SimulatedPush push, Answer answer) {
        micros.recordValue(answer.latencyNanos() / 1_000);
        if (answer.status() == 200) {
            acknowledged.add(Arrivals.brief(push.signature()));
        } else {
            refused++;
        }
    }

    /** From now on latencies go into another histogram, which is complete when it has been replaced in turn. */
    Histogram measure() {
        Histogram next = new Histogram(3);
        micros = next;
        return next;
    }

    /** Awaits the last answers; how many pushes were not answered {@code 200}. */
    long stop() {
        platform.stop();
        end.await();
        return refused;
    }
}
