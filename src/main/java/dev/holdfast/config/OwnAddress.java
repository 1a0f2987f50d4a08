package dev.holdfast.config;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/** The address for a port of the gateway's, under a name that nobody else uses. */
public final class OwnAddress {
    private static final String NAME = "holdfast";

    private OwnAddress() {}

    /**
     * All servers of one Vert.x that listen on the same port of the same host name silently share its connections: a
     * server that a consumer opens there would answer some of the platform's requests. With this name, the consumer's
     * server finds the port in use instead. Blocks if {@code host} is a name.
     */
    public static InetSocketAddress of(String host, int port) throws UnknownHostException {
        byte[] address = InetAddress.getByName(host).getAddress();
        return new InetSocketAddress(InetAddress.getByAddress(NAME, address), port);
    }
}
