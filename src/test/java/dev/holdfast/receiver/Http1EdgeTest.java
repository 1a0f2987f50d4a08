package dev.holdfast.receiver;

import static org.assertj.core.api.Assertions.assertThat;

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
    private final List<String> heard = new ArrayList<>();

    @BeforeEach
    void begin() {
        peer.incoming(new Peer.Incoming() {
            @Override
            public void malformed() {
                heard.add("malformed");
            }

            @Override
            public void outOfMemory(OutOfMemoryError cause) {
                heard.add("out of memory: " + cause.getMessage());
            }
        });
    }

    @Test
    void aBodyThatMakesNoSenseIsMalformed() {
        channel.pipeline().fireExceptionCaught(new NumberFormatException("no chunk's length"));

        assertThat(heard).containsExactly("malformed");
    }

    @Test
    void memoryThatRunsOutIsNotTheSendersFault() {
        channel.pipeline().fireExceptionCaught(new OutOfMemoryError("heap"));
        channel.pipeline().fireExceptionCaught(new DecoderException(new OutOfMemoryError("beside it")));

        assertThat(heard).containsExactly("out of memory: heap", "out of memory: beside it");
    }

    @Test
    void aConnectionThatFailsIsClosed() {
        channel.pipeline().fireExceptionCaught(new IOException("reset"));

        assertThat(heard).isEmpty();
        assertThat(channel.isOpen()).isFalse();
    }
}
