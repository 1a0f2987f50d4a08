package dev.holdfast.receiver;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Counts the connections of one open port, before anything of them is looked at, and accepts no more while there are as many
 * as its {@link ConnectionLimit} allows. The system keeps those that wait to be accepted. On the port's event loop.
 */
final class AcceptGate extends ChannelInboundHandlerAdapter {
    private int open;

    @Override
    public void channelRead(ChannelHandlerContext port, Object message) {
        if (message instanceof Channel connection) {
            open++;
            connection.closeFuture().addListener(closed -> port.executor().execute(() -> closed(port)));
            ConnectionLimit limit = limit(port);
            if (limit != null) {
                limit.found(open, port.channel().eventLoop());
                if (open >= limit.most()) {
                    port.channel().config().setAutoRead(false);
                }
            }
        }
        port.fireChannelRead(message);
    }

    private void closed(ChannelHandlerContext port) {
        open--;
        ConnectionLimit limit = limit(port);
        if (limit != null) {
            limit.found(open, port.channel().eventLoop());
        }
        // The limit may be gone since the port was full.
        if (limit == null || open < limit.most()) {
            port.channel().config().setAutoRead(true);
        }
    }

    private static @Nullable ConnectionLimit limit(ChannelHandlerContext port) {
        return port.channel().localAddress() instanceof InetSocketAddress address
                ? ConnectionLimit.of(address.getPort())
                : null;
    }
}
