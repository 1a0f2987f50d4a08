package dev.holdfast;

import dev.holdfast.config.ConfigListener;
import dev.holdfast.config.EffectiveConfig;
import dev.holdfast.config.HeapPlan;
import dev.holdfast.config.HoldfastConfig;
import dev.holdfast.config.LoadedConfig;
import dev.holdfast.config.TlsConfig;
import dev.holdfast.config.TlsIdentity;
import dev.holdfast.logging.Logs;
import dev.holdfast.management.LastReload;
import dev.holdfast.management.ManagementVerticle;
import dev.holdfast.management.OperatorNotices;
import dev.holdfast.receiver.Receiver;
import dev.holdfast.supervision.RunningConsumers;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts a changed configuration in force while the gateway runs: consumers, certificates, endpoints with their secrets, and
 * the log's level; what else differs is named, and waits for a restart.
 *
 * <p>All of it or nothing. One that doesn't fit the memory or the descriptors is refused, as it is at a start. What can fail comes
 * first: the consumers, then the certificates. When one of them does, the others are brought back to what was in force; endpoints
 * and secrets were not touched. These can't fail and come next, at once for every request that begins after. So no push is accepted under
 * secrets that were refused, and a new endpoint is not open before those are there that are to get its pushes. Consumers that are
 * no longer wanted go last, which may take long. A consumer that takes longer than ten seconds to start counts as started: should
 * it fail afterwards it alone goes on as it was, and the log says so.
 *
 * <p>Any thread that may block; one at a time, in the order of their coming.
 */
final class Reload implements ConfigListener {
    private static final Logger LOG = LoggerFactory.getLogger(Reload.class);
    /** With what the one before it has in hand. */
    private static final Duration CONSUMER_START = Duration.ofSeconds(10);

    private final HoldfastConfig started;
    private final RunningConsumers consumers;
    private final Receiver receiver;
    private final Edge edge;
    private final PortCertificate receiverCertificate;
    private final PortCertificate managementCertificate;
    private final InstantSource clock;
    private final Counter failures;
    private volatile HoldfastConfig inForce;
    private boolean ended;
    private volatile @Nullable LastReload last;
    private volatile Instant lastSuccess;

    /** @param started the configuration that all was made with */
    Reload(
            HoldfastConfig started,
            RunningConsumers consumers,
            Receiver receiver,
            ManagementVerticle management,
            Edge edge,
            MeterRegistry registry,
            InstantSource clock) {
        this.started = started;
        this.inForce = started;
        this.consumers = consumers;
        this.receiver = receiver;
        this.edge = edge;
        this.receiverCertificate =
                new PortCertificate("receiver.tls", started.receiver().tls(), receiver::show);
        this.managementCertificate =
                new PortCertificate("management.tls", started.management().tls(), management::show);
        this.clock = clock;
        this.lastSuccess = clock.instant();
        failures = Counter.builder("holdfast.config.reload.failures")
                .description("Changed configurations that were refused")
                .register(registry);
        Gauge.builder("holdfast.config.reload.success", () -> isRefused() ? 0 : 1)
                .description(
                        "Whether the configuration's file, as it was last read, is in force: 1, or 0 where it was refused")
                .register(registry);
        Gauge.builder("holdfast.config.reload.success.timestamp.seconds", () -> lastSuccess.toEpochMilli() / 1000.0)
                .description("When a configuration was last put in force, at the start too, in seconds since 1970")
                .register(registry);
    }

    @Override
    public synchronized boolean changed(LoadedConfig loaded) {
        HoldfastConfig wanted = loaded.config();
        boolean same = wanted.equals(inForce) && !isRefused() && consumers.areKnown(wanted.consumers());
        if (ended || same) {
            return false;
        }
        // The next start would end with it.
        String problem = HeapPlan.ofProcess()
                .complaint(wanted)
                .or(() -> edge.complaint(wanted.consumers()))
                .orElseGet(() -> apply(loaded));
        if (!problem.isEmpty()) {
            refused(List.of(problem));
            return true;
        }
        Set<String> atOnce = EffectiveConfig.changedAtOnce(inForce, wanted);
        inForce = wanted;
        Set<String> later = EffectiveConfig.changedForTheNextStart(started, wanted);
        last = new LastReload(now(), true, List.of(), List.copyOf(later));
        lastSuccess = now();
        LOG.info(
                "the changed configuration is in force{}{}",
                atOnce.isEmpty() ? "" : ": " + String.join(", ", atOnce),
                later.isEmpty() ? "" : "; what else differs needs a restart: " + String.join(", ", later));
        String left = failure(consumers.dropOthers(wanted.consumers()));
        if (!left.isEmpty()) {
            LOG.warn("not all consumers that are no longer wanted could be stopped: {}", left);
        }
        return true;
    }

    @Override
    public synchronized void refused(List<String> problems) {
        last = new LastReload(now(), false, List.copyOf(problems), List.of());
        failures.increment();
        LOG.error(
                "the changed configuration is refused and the one before stays in force, all of it:\n{}",
                String.join("\n", problems));
    }

    /** The last one; null before the first. */
    @Nullable
    LastReload last() {
        return last;
    }

    /** As the file last was that was accepted: what a restart is needed for is in it too. */
    HoldfastConfig inForce() {
        return inForce;
    }

    /** That the file was refused; empty: it was not. */
    String notice() {
        LastReload attempt = last;
        return attempt == null || attempt.accepted()
                ? ""
                : "the configuration's file was refused at " + attempt.at()
                        + ", the one before stays in force; the log says why";
    }

    /** The ports' certificates that an operator should know something of. */
    List<OperatorNotices.Certificate> certificates() {
        Instant now = now();
        return Stream.of(receiverCertificate, managementCertificate)
                .map(shown -> new OperatorNotices.Certificate(shown.notice(now), shown.isRefused(now)))
                .filter(certificate -> !certificate.notice().isEmpty())
                .toList();
    }

    /** Waits for the one under way; nothing is changed any more. */
    synchronized void end() {
        ended = true;
    }

    private boolean isRefused() {
        LastReload attempt = last;
        return attempt != null && !attempt.accepted();
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }

    /** Why nothing was changed; empty: all was. */
    private String apply(LoadedConfig loaded) {
        loaded.warnings().forEach(LOG::warn);
        HoldfastConfig wanted = loaded.config();
        String problem = failure(consumers.apply(wanted.consumers(), CONSUMER_START));
        if (problem.isEmpty()) {
            problem = show(wanted.receiver().tls(), wanted.management().tls());
        }
        if (!problem.isEmpty()) {
            String back = failure(consumers
                    .apply(inForce.consumers(), CONSUMER_START)
                    .compose(applied -> consumers.dropOthers(inForce.consumers())));
            return back.isEmpty() ? problem : problem + "; and not all consumers are as they were: " + back;
        }
        if (!wanted.receiver().endpoints().equals(inForce.receiver().endpoints())) {
            receiver.open(wanted.receiver().endpoints());
        }
        edge.leave(wanted.consumers());
        if (!wanted.logging().equals(inForce.logging())) {
            String level = wanted.logging().level();
            LOG.info(
                    "{}",
                    Logs.level(level) ? "the log's level is " + level + " now" : "the environment's log level stays");
        }
        return "";
    }

    /** Both or none. */
    private String show(@Nullable TlsConfig atReceiver, @Nullable TlsConfig atManagement) {
        TlsIdentity before = receiverCertificate.shown();
        String problem = receiverCertificate.show(identity(atReceiver));
        if (problem.isEmpty()) {
            problem = managementCertificate.show(identity(atManagement));
            if (!problem.isEmpty()) {
                String back = receiverCertificate.show(before);
                return back.isEmpty() ? problem : problem + "; and " + back;
            }
        }
        return problem;
    }

    private static @Nullable TlsIdentity identity(@Nullable TlsConfig tls) {
        return tls == null ? null : tls.identity();
    }

    private static String failure(Future<Void> step) {
        try {
            step.await();
            return "";
        } catch (Exception e) {
            // Checked ones as well: await() throws whatever a future failed with.
            return String.valueOf(e.getMessage());
        }
    }
}
