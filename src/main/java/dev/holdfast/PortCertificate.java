package dev.holdfast;

import dev.holdfast.config.TlsConfig;
import dev.holdfast.config.TlsIdentity;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The certificate that a port shows on new connections. Changed by one thread at a time, which may block. */
final class PortCertificate {
    /** By then every tool that renews certificates has tried for long: most begin with a third of the lifetime left. */
    private static final Duration SOON = Duration.ofDays(7);

    private static final int PART_OF_LIFETIME = 6;

    private final String key;
    private final Function<TlsIdentity, Future<Void>> port;
    /** Null: the port has no TLS, which only a restart changes. */
    private volatile @Nullable TlsIdentity shown;

    /**
     * @param key where it stands in the configuration, e.g. {@code receiver.tls}
     * @param started what the port was opened with
     * @param port shows another one, or fails with the one before in place
     */
    PortCertificate(String key, @Nullable TlsConfig started, Function<TlsIdentity, Future<Void>> port) {
        this.key = key;
        this.shown = started == null ? null : started.identity();
        this.port = port;
    }

    @Nullable
    TlsIdentity shown() {
        return shown;
    }

    /** What an operator should know of it; empty: nothing. Any thread. */
    String notice(Instant now) {
        TlsIdentity current = shown;
        if (current == null) {
            return "";
        }
        if (now.isBefore(current.goodFrom())) {
            return key + ": the certificate is good only from " + current.goodFrom()
                    + " on, and refused until then by those who connect";
        }
        if (now.isBefore(soonOver(current))) {
            return "";
        }
        return key + ": the certificate " + (now.isBefore(current.goodUntil()) ? "is good only" : "was good")
                + " until " + current.goodUntil() + ", and from then on refused by those who connect";
    }

    /** Whether those who connect refuse it. Any thread. */
    boolean isRefused(Instant now) {
        TlsIdentity current = shown;
        return current != null && !current.isGoodAt(now);
    }

    private static Instant soonOver(TlsIdentity identity) {
        Duration part = identity.lifetime().dividedBy(PART_OF_LIFETIME);
        return identity.goodUntil().minus(part.compareTo(SOON) < 0 ? part : SOON);
    }

    /**
     * Shows it, where the port has TLS.
     *
     * @param wanted null for whatever is shown
     * @return why it can't; empty: it is shown
     */
    String show(@Nullable TlsIdentity wanted) {
        TlsIdentity before = shown;
        if (before == null || wanted == null || wanted.equals(before)) {
            return "";
        }
        try {
            port.apply(wanted).await();
            shown = wanted;
            return "";
        } catch (Exception e) {
            // Checked ones as well: await() throws whatever a future failed with.
            return key + ": the certificate can't be used: " + e.getMessage();
        }
    }
}
