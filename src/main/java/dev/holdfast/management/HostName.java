package dev.holdfast.management;

import io.vertx.core.net.HostAndPort;
import io.vertx.core.net.SocketAddress;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A host as in a URL, normalised so that all spellings are equal: a name in lower case without a final dot, an address
 * as Java writes it. No name is ever looked up.
 */
record HostName(String text, boolean isLoopback) {
    private static final String LOCALHOST = "localhost";

    /** @param written a name, or an address, an IPv6 one with its brackets or without */
    static HostName of(String written) {
        String plain =
                written.startsWith("[") && written.endsWith("]") ? written.substring(1, written.length() - 1) : written;
        String address = plain.isEmpty()
                ? null
                : SocketAddress.inetSocketAddress(0, plain).hostAddress();
        return address == null ? ofName(plain) : ofAddress(address);
    }

    /** The host of what may stand in a Host header, whatever its port; null when that is malformed (RFC 9110, section 7.2). */
    static @Nullable HostName ofAuthority(@Nullable HostAndPort authority) {
        return authority == null || authority.host().isEmpty() ? null : of(authority.host());
    }

    private static HostName ofName(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        String text = lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
        // RFC 6761, section 6.3: nobody else can own a name below it
        return new HostName(text, text.equals(LOCALHOST) || text.endsWith("." + LOCALHOST));
    }

    private static HostName ofAddress(String literal) {
        try {
            InetAddress address = InetAddress.getByName(literal);
            return new HostName(address.getHostAddress(), address.isLoopbackAddress());
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("found " + literal + ", expected an address", e);
        }
    }
}
