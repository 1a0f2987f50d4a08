package dev.holdfast.receiver;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.timeout.IdleStateHandler;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.impl.HttpServerConnection;
import java.io.IOException;

/**
 * What Vert.x's HTTP/1 connection would end without the answer that RFC 9112 names: versions that are not spoken (it says
 * 501), bodies that stop making sense (it closes), and clients that have ended their half of the connection (it closes as
 * well). Sits between the HTTP codec and the connection.
 */
final class Http1Edge extends ChannelDuplexHandler {
    private final Peer peer;

    Http1Edge(Peer peer) {
        this.peer = peer;
    }

    /** Watches over {@code connection} if it is one of HTTP/1; of any other it only takes Vert.x's own time-out. */
    static void install(HttpConnection connection, Peer peer) {
        if (!(connection instanceof HttpServerConnection server)) {
            return;
        }
        ChannelHandlerContext connected = server.channelHandlerContext();
        if (connected.pipeline().get(IdleStateHandler.class) != null) {
            // Vert.x would take a connection for idle that waits for the disk, or for room.
            connected.pipeline().remove(IdleStateHandler.class);
        }
        if (connection.protocolVersion() == io.vertx.core.http.HttpVersion.HTTP_2) {
            return;
        }
        connected.pipeline().addBefore(connected.name(), "edge", new Http1Edge(peer));
        if (!connection.isSsl()) {
            // A TLS client ends its half by close_notify: one that ends the connection below has ended both.
            connected.channel().config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpRequest request) {
            checkVersion(request);
            checkConnection(request.headers());
        }
        if (message instanceof LastHttpContent) {
            peer.requestArrived();
        }
        context.fireChannelRead(message);
    }

    private static void checkVersion(HttpRequest request) {
        HttpVersion version = request.protocolVersion();
        if (version.equals(HttpVersion.HTTP_1_1)) {
            // Written in small letters it is another object, and none that Vert.x knows.
            request.setProtocolVersion(HttpVersion.HTTP_1_1);
        } else if (!version.equals(HttpVersion.HTTP_1_0)) {
            request.setDecoderResult(DecoderResult.failure(new RequestCheck.UnsupportedVersion(version.text())));
            request.setProtocolVersion(HttpVersion.HTTP_1_1);
        }
    }

    /** Vert.x finds a {@code close} only where it stands alone; in a list it ends the connection as well. */
    private static void checkConnection(HttpHeaders headers) {
        if (headers.containsValue(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE, true)) {
            headers.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        }
    }

    /** Netty closes the channel when it is asked to read on after the end, be it that answers are still to come. */
    @Override
    public void read(ChannelHandlerContext context) {
        if (!peer.inputEnded()) {
            context.read();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        Peer.Incoming incoming = peer.incoming();
        boolean broken = cause instanceof IOException || cause.getCause() instanceof IOException;
        if (broken && MemoryShortage.in(cause) == null) {
            // Vert.x would do so too, but fails where a request waits for its turn.
            context.close();
        } else if (incoming == null) {
            context.fireExceptionCaught(cause);
        } else {
            incoming.failed(cause);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        context.fireUserEventTriggered(event);
        if (event == ChannelInputShutdownEvent.INSTANCE || event == SslCloseCompletionEvent.SUCCESS) {
            peer.inputEnds();
            if (peer.isIdle()) {
                peer.connection().close();
            }
        }
    }
}
