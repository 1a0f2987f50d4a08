package dev.holdfast.receiver;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the HTTP codec fails with while a body is coming in. */
class Http1EdgeTest {
    private final Peer peer = Peers.at("1.1.1.1");
    private final EmbeddedChannel channel = new EmbeddedChannel(new Http1Edge(peer));
    private final MemoryShortage shortage = new MemoryShortage(new SimpleMeterRegistry());
    private final List<Throwable> heard = new ArrayList<>();

    @BeforeEach
    void begin() {
        peer.incoming(heard::add);
    }

    @Test
    void aBodyThatMakesNoSenseFails() {
        channel.pipeline().fireExceptionCaught(new NumberFormatException("no chunk's length"));

        assertThat(heard).singleElement().isInstanceOf(NumberFormatException.class);
        assertThat(heard).noneMatch(shortage::happened);
    }

    @Test
    void memoryThatRunsOutIsNotTheSendersFault() {
        channel.pipeline().fireExceptionCaught(new OutOfMemoryError("heap"));
        channel.pipeline().fireExceptionCaught(new DecoderException(new OutOfMemoryError("beside it")));
        channel.pipeline().fireExceptionCaught(new IOException(new OutOfMemoryError("at writing")));

        assertThat(heard).hasSize(3).allMatch(shortage::happened);
    }

    @Test
    void aConnectionThatFailsIsClosed() {
        channel.pipeline().fireExceptionCaught(new IOException("reset"));

        assertThat(heard).isEmpty();
        assertThat(channel.isOpen()).isFalse();
    }
}
