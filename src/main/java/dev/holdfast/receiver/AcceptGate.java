package dev.holdfast.receiver;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Counts the connections of one open port, before anything of them is looked at, and accepts no more while there are as many
 * as its {@link ConnectionLimit} allows. The system keeps those that wait to be accepted. On the port's event loop.
 */
final class AcceptGate extends ChannelInboundHandlerAdapter {
    /** In the order in which they came. */
    private final Set<Channel> open = new LinkedHashSet<>();

    @Override
    public void channelRead(ChannelHandlerContext port, Object message) {
        if (message instanceof Channel connection) {
            open.add(connection);
            connection.closeFuture().addListener(closed -> port.executor().execute(() -> closed(port, connection)));
            ConnectionLimit limit = ConnectionLimit.of(port.channel());
            if (limit != null && limit.found(open.size(), port.channel())) {
                port.channel().config().setAutoRead(false);
                if (limit.isProbed()) {
                    endLongestHandshake();
                }
            }
        }
        port.fireChannelRead(message);
    }

    /** Whoever ends idle connections knows of one only after its handshake. */
    private void endLongestHandshake() {
        open.stream().filter(AcceptGate::isAtItsHandshake).findFirst().ifPresent(Channel::close);
    }

    private static boolean isAtItsHandshake(Channel connection) {
        SslHandler tls = connection.pipeline().get(SslHandler.class);
        return tls != null && !tls.handshakeFuture().isDone();
    }

    private void closed(ChannelHandlerContext port, Channel connection) {
        open.remove(connection);
        ConnectionLimit limit = ConnectionLimit.of(port.channel());
        // The limit may be gone since the port was full.
        if (limit == null || !limit.found(open.size(), port.channel())) {
            port.channel().config().setAutoRead(true);
        }
    }
}
