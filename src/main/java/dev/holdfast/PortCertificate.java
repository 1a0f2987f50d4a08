package dev.holdfast;

import dev.holdfast.config.TlsConfig;
import dev.holdfast.config.TlsIdentity;
import io.vertx.core.Future;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The certificate that a port shows on new connections. One thread at a time, which may block. */
final class PortCertificate {
    private final String key;
    private final Function<TlsIdentity, Future<Void>> port;
    /** Null: the port has no TLS, which only a restart changes. */
    private @Nullable TlsIdentity shown;

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

    /**
     * Shows it, where the port has TLS.
     *
     * @param wanted null for whatever is shown
     * @return why it can't; empty: it is shown
     */
    String show(@Nullable TlsIdentity wanted) {
        if (shown == null || wanted == null || wanted.equals(shown)) {
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
