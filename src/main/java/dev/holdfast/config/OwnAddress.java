package dev.holdfast.config;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/** Where a port of the gateway's is opened, under a name that no one else has. */
public final class OwnAddress {
    private static final String NAME = "holdfast";

    private OwnAddress() {}

    /**
     * Vert.x has all servers in it that listen on the same port of a host of the same name share its connections, without a word: one
     * that a consumer opens there would answer some of the platform's requests. Under this name it finds the port in use.
     * Blocks where {@code host} is a name.
     */
    public static InetSocketAddress of(String host, int port) throws UnknownHostException {
        byte[] address = InetAddress.getByName(host).getAddress();
        return new InetSocketAddress(InetAddress.getByAddress(NAME, address), port);
    }
}
