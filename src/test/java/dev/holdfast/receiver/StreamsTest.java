package dev.holdfast.receiver;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Who may have how many streams of HTTP/2. */
class StreamsTest {
    private final Streams streams = new Streams(80);

    private int open(Peer connection) {
        int opened = 0;
        while (streams.tryOpen(connection)) {
            opened++;
        }
        return opened;
    }

    @Test
    void aConnectionIsOfferedWhatTwoMayHaveAtOnce() {
        assertThat(streams.perConnection()).isEqualTo(20);
        assertThat(new Streams(2).perConnection()).isEqualTo(1);
        assertThat(new Streams(100_000).perConnection()).isEqualTo(100);
    }

    @Test
    void oneNetworkHasHalfOfThemAndOthersTheRest() {
        assertThat(open(Peers.at("10.0.0.1"))).isEqualTo(40);
        assertThat(streams.isCrowded()).isTrue();

        assertThat(open(Peers.at("10.0.0.1"))).isZero();
        assertThat(open(Peers.at("10.0.0.2"))).isEqualTo(10);
        assertThat(open(Peers.at("10.0.0.2"))).isEqualTo(10);
        assertThat(open(Peers.at("10.0.0.2"))).isZero();
        assertThat(open(Peers.at("10.0.0.3"))).isEqualTo(10);
    }

    @Test
    void oneThatIsClosedMakesPlaceForAnother() {
        Peer connection = Peers.at("10.0.0.1");
        open(connection);

        streams.close(connection);

        assertThat(streams.isCrowded()).isFalse();
        assertThat(open(connection)).isEqualTo(1);
    }
}
