package dev.holdfast.receiver;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.NetUtil;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.impl.HttpServerConnection;
import io.vertx.core.net.SocketAddress;
import java.util.HexFormat;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The other end of one connection: what is under way with it, and since when nothing is. Lives on its event loop. */
final class Peer {
    /** A body that is coming in. */
    interface Incoming {
        /** It makes no sense any more (RFC 9112, section 7.1), or memory ran out for it, and nothing further will come. */
        void failed(Throwable cause);
    }

    private static final int IPV6_NETWORK = 8;

    private final HttpConnection connection;
    private @Nullable String address;
    private @Nullable Incoming incoming;
    private long idleSince;
    private int pushes;
    private boolean used;
    private int begun;
    private int arrived;
    private boolean inputEnded;
    private boolean ending;
    /** Since when it is being closed, once it is. */
    private @Nullable Long closingSince;

    Peer(HttpConnection connection, long now) {
        this.connection = connection;
        this.idleSince = now;
    }

    HttpConnection connection() {
        return connection;
    }

    /** Without the port; empty when that can't be told any more. */
    String address() {
        if (address == null) {
            SocketAddress remote = connection.remoteAddress();
            address = Objects.requireNonNullElse(remote == null ? null : remote.hostAddress(), "");
        }
        return address;
    }

    /** What a subscriber has of the Internet: an IPv4 address, or an IPv6 address' first half (RFC 6177), whose rest is free to choose. */
    String network() {
        byte[] bytes = NetUtil.createByteArrayFromIpAddressString(address());
        return bytes == null || bytes.length <= IPV6_NETWORK
                ? address()
                : HexFormat.of().formatHex(bytes, 0, IPV6_NETWORK);
    }

    /** A request whose head was found right is under way from now on. */
    void pushBegins() {
        pushes++;
    }

    /** It has its answer: the connection counts as idle, even while the next head is trickling in. */
    void pushEnds(long now) {
        pushes--;
        used = true;
        idleSince = now;
    }

    boolean isIdle() {
        return pushes == 0;
    }

    /**
     * Whether nothing was asked for too long, or it is being closed.
     *
     * @param headerNanos for the first request's head
     * @param idleNanos for each further one
     */
    boolean isToClose(long now, long headerNanos, long idleNanos) {
        return closingSince != null || (isIdle() && (inputEnded || now - idleSince > (used ? idleNanos : headerNanos)));
    }

    void incoming(@Nullable Incoming body) {
        incoming = body;
    }

    @Nullable
    Incoming incoming() {
        return incoming;
    }

    /** The client has said all it will; it may still listen. */
    void inputEnds() {
        inputEnded = true;
    }

    boolean inputEnded() {
        return inputEnded;
    }

    /** A request is handed to the receiver, right or not: its turn has come. Its body may be still to come. */
    void requestBegins() {
        begun++;
    }

    /** All of a request has come, be it that it waits to be read, or for its turn. */
    void requestArrived() {
        arrived++;
    }

    /** The client has said all it will, and the request whose turn it is is not whole by that. */
    boolean isCutOff() {
        return inputEnded && arrived < begun;
    }

    /** The client was told that the connection ends: nothing more is taken from it (RFC 9112, section 9.6). */
    void ends() {
        ending = true;
    }

    boolean isEnding() {
        return ending;
    }

    /**
     * Closes the connection. Vert.x waits for good until the client has read its answers, and from then on takes its requests
     * without a bound to those: a connection that can't be written to, or is still there a while later, is reset.
     */
    void close(long now) {
        if (closingSince == null) {
            closingSince = now;
            connection.close();
        }
        if (connection instanceof HttpServerConnection server) {
            ChannelHandlerContext connected = server.channelHandlerContext();
            Channel channel = connected.channel();
            boolean stuck = !inputEnded && !channel.isWritable();
            // One that is closed by now isn't writable either.
            if (channel.isOpen() && (stuck || now - closingSince > Deadlines.LINGER_NANOS)) {
                channel.config().setOption(ChannelOption.SO_LINGER, 0);
                connected.close();
            }
        }
    }

    /** The client sees the end at once, while what it still sends is read. Not over TLS, which has no halves. */
    void endOutput() {
        if (ending
                && !connection.isSsl()
                && connection instanceof HttpServerConnection server
                && server.channelHandlerContext().channel() instanceof DuplexChannel halves) {
            halves.shutdownOutput();
        }
    }
}
