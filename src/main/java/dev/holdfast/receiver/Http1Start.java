package dev.holdfast.receiver;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.vertx.core.http.impl.tcp.Http1xOrH2CHandler;

/**
 * Makes Vert.x take a connection for one of HTTP/1, and for good, when its first bytes are not those of HTTP/2. By itself it
 * waits for the first request's head, unseen by anyone here, and goes over to HTTP/2 when that asks for it: a way around what
 * is checked of HTTP/1, and a deprecated one (RFC 9113, section 3.1). An {@code Upgrade} is ignored instead. Only at ports that
 * have a {@link ConnectionLimit}: what consumers open in this process is theirs.
 */
final class Http1Start extends ChannelInitializer<Channel> {
    /** Vert.x's name of what waits for that head, and goes with the first that asks for nothing. */
    private static final String UPGRADE = "h2c";

    private static final String DROP = "drop";
    /** In the place of the client's first request. */
    private static final HttpRequest ORDINARY = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");

    /** Follows what tells the versions apart, which has done so by the time that bytes get here. */
    private static final class FirstBytes extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object bytes) {
            ChannelPipeline pipeline = context.pipeline();
            if (pipeline.get(UPGRADE) != null && ConnectionLimit.of(context.channel()) != null) {
                pipeline.addAfter(UPGRADE, DROP, new Drop());
                context.fireChannelRead(ORDINARY);
                pipeline.remove(DROP);
            }
            pipeline.remove(this);
            context.fireChannelRead(bytes);
        }
    }

    /** Keeps the request that no client has sent from being answered. */
    private static final class Drop extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object ordinary) {}
    }

    /** When Vert.x has prepared the connection; where it speaks HTTP/1 alone, or TLS, it tells nothing apart. */
    @Override
    protected void initChannel(Channel connection) {
        ChannelHandlerContext versions = connection.pipeline().context(Http1xOrH2CHandler.class);
        if (versions != null) {
            connection.pipeline().addAfter(versions.name(), null, new FirstBytes());
        }
    }
}
