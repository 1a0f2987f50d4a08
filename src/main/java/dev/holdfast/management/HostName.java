package dev.holdfast.management;

import io.netty.util.NetUtil;
import io.vertx.core.net.HostAndPort;
import java.net.InetAddress;
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
        InetAddress address = NetUtil.createInetAddressFromIpAddressString(written);
        return address == null ? ofName(written) : new HostName(address.getHostAddress(), address.isLoopbackAddress());
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
}
