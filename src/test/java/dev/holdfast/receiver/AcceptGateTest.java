package dev.holdfast.receiver;

import static dev.holdfast.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A port of Netty's with a gate before it. */
@Timeout(60)
@SuppressWarnings("try") // connections end while others are open
class AcceptGateTest {
    private final MultiThreadIoEventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final List<Channel> accepted = new CopyOnWriteArrayList<>();
    private int port;

    @BeforeEach
    void listen() {
        Channel listening = new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .handler(new AcceptGate())
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel connection) {
                        accepted.add(connection);
                    }
                })
                .bind(InetAddress.getLoopbackAddress(), 0)
                .syncUninterruptibly()
                .channel();
        port = ((InetSocketAddress) listening.localAddress()).getPort();
    }

    @AfterEach
    void stop() {
        loops.shutdownGracefully(0, 0, TimeUnit.MILLISECONDS).awaitUninterruptibly();
    }

    private Socket connect() throws Exception {
        return new Socket(InetAddress.getLoopbackAddress(), port);
    }

    /** By itself: a port may accept several at once. */
    private Socket accepted() throws Exception {
        int before = accepted.size();
        Socket socket = connect();
        eventually(() -> assertThat(accepted).hasSize(before + 1));
        return socket;
    }

    @Test
    void aFullPortAcceptsAsManyAsEnd() throws Exception {
        try (ConnectionLimit limit = ConnectionLimit.on(port, 2, new SimpleMeterRegistry());
                Socket first = accepted();
                Socket second = accepted();
                Socket third = connect()) {
            assertThat(limit.isReached()).isTrue();

            first.close();

            eventually(() -> assertThat(accepted).hasSize(3));
            assertThat(second.isConnected() && third.isConnected()).isTrue();
        }
    }

    @Test
    void aFullPortWhoseLimitIsGoneAcceptsAgain() throws Exception {
        try (ConnectionLimit limit = ConnectionLimit.on(port, 1, new SimpleMeterRegistry());
                Socket first = accepted();
                Socket second = connect()) {
            assertThat(limit.isReached()).isTrue();
            limit.close();

            first.close();

            eventually(() -> assertThat(accepted).hasSize(2));
            assertThat(second.isConnected()).isTrue();
        }
    }

    @Test
    void aFullPortWhoseLimitIsRaisedAcceptsAgain() throws Exception {
        try (ConnectionLimit limit = ConnectionLimit.on(port, 1, new SimpleMeterRegistry());
                Socket first = accepted();
                Socket second = connect()) {
            limit.change(2);

            eventually(() -> assertThat(accepted).hasSize(2));
            assertThat(first.isConnected() && second.isConnected()).isTrue();
            limit.change(1);
            assertThat(limit.isReached()).isTrue();
        }
    }
}
