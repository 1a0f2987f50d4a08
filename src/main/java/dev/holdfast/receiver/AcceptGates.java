package dev.holdfast.receiver;

import io.netty.bootstrap.ChannelInitializerExtension;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ServerChannel;

/**
 * Puts an {@link AcceptGate} before every port of the process, bounds what is read of a connection at once, and has each begin
 * with {@link Http1Start}. Found by Netty, by name, see {@link ConnectionLimit}.
 */
public final class AcceptGates extends ChannelInitializerExtension {
    private static final int FIRST_READ = 4096;
    private static final int MOST_READ = 16 * 1024;

    @Override
    public void postInitializeServerListenerChannel(ServerChannel channel) {
        channel.pipeline().addFirst(new AcceptGate());
    }

    /** By default up to 16 times 64 KiB are read before anyone is asked, and half a MiB stays behind each paused request. */
    @Override
    public void postInitializeServerChildChannel(Channel connection) {
        connection
                .config()
                .setRecvByteBufAllocator(
                        new AdaptiveRecvByteBufAllocator(64, FIRST_READ, MOST_READ).maxMessagesPerRead(1));
        connection.pipeline().addLast(new Http1Start());
    }
}
