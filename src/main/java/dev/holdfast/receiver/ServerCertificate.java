package dev.holdfast.receiver;

import dev.holdfast.config.TlsIdentity;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.ServerSSLOptions;

/** A configured certificate and its key as Vert.x takes them. */
final class ServerCertificate {
    private ServerCertificate() {}

    /** What the options of a server that is open are to be, all of them, for it to show another certificate. */
    static ServerSSLOptions options(TlsIdentity identity, boolean http2) {
        ServerSSLOptions options = new ServerSSLOptions().setKeyCertOptions(identity.pem());
        options.setUseAlpn(http2);
        return options.setApplicationLayerProtocols(HttpServerOptions.DEFAULT_ALPN_VERSIONS.stream()
                .map(HttpVersion::alpnName)
                .toList());
    }
}
