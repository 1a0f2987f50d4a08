package dev.holdfast.receiver;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;

/**
 * Pauses the first request of a connection that goes over from HTTP/1 to HTTP/2 (RFC 7540, section 3.2): its body still comes
 * as HTTP/1, and the windows of HTTP/2 don't bound it. Nothing else comes beside it, so the connection is paused. On its event
 * loop.
 */
final class UpgradePause extends ChannelOutboundHandlerAdapter {
    /** Vert.x's name of what goes over. It is gone when the body is there. */
    private static final String UPGRADE = "h2c";

    private final Channel channel;
    private boolean paused;

    UpgradePause(Channel channel) {
        this.channel = channel;
    }

    static boolean isUpgrading(Channel channel) {
        return channel.pipeline().get(UPGRADE) != null;
    }

    void pause() {
        if (isUpgrading(channel)) {
            paused = true;
            channel.config().setAutoRead(false);
        }
    }

    void resume() {
        if (paused) {
            paused = false;
            channel.config().setAutoRead(true);
        }
    }

    /** Netty's HTTP/2 asks for more even when nothing is to be read by itself: there its windows see to it. */
    @Override
    public void read(ChannelHandlerContext context) {
        if (!paused) {
            context.read();
        }
    }
}
