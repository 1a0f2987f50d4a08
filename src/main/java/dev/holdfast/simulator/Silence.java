package dev.holdfast.simulator;

import io.vertx.core.http.HttpClosedException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import java.util.Locale;
import java.util.concurrent.TimeoutException;

/** Why a push got no answer. */
public enum Silence {
    /** Nobody listens at the address. */
    REFUSED,
    /** The connection ended before the answer. */
    RESET,
    /** The answer did not come in time. */
    TIMED_OUT,
    /** The address can't be found or reached. */
    UNREACHABLE,
    /** Not sent: no connection came free in time. */
    UNSENT,
    /** The server's certificate is none that this side trusts, or another host's. */
    UNTRUSTED,
    /** What came was no HTTP answer, or TLS failed otherwise. */
    UNINTELLIGIBLE;

    /** As it is written in reports, e.g. {@code timed-out}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static Silence of(Throwable failure) {
        if (failure instanceof TimeoutException) {
            return TIMED_OUT;
        }
        if (failure instanceof UnknownHostException || failure instanceof NoRouteToHostException) {
            return UNREACHABLE;
        }
        if (failure instanceof ConnectException) {
            return REFUSED;
        }
        if (isOfCertificate(failure)) {
            return UNTRUSTED;
        }
        boolean tls = failure instanceof javax.net.ssl.SSLException;
        boolean ended = failure instanceof HttpClosedException || failure instanceof IOException;
        return ended && !tls ? RESET : UNINTELLIGIBLE;
    }

    private static boolean isOfCertificate(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateException) {
                return true;
            }
        }
        return false;
    }
}
