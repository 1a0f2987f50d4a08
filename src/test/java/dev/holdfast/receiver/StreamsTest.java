package dev.holdfast.receiver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Who may have how many streams of HTTP/2. */
class StreamsTest {
    private static final long EACH = 20_000;

    private final Streams streams = new Streams(80 * EACH);

    private List<Streams.Place> open(Peer connection) {
        List<Streams.Place> opened = new ArrayList<>();
        for (Streams.Place place = one(connection); place != null; place = one(connection)) {
            opened.add(place);
        }
        return opened;
    }

    private Streams.@Nullable Place one(Peer connection) {
        return streams.tryOpen(connection, EACH / 2, EACH / 2);
    }

    @Test
    void oneNetworkHasHalfOfThemAndOthersTheRest() {
        assertThat(open(Peers.at("10.0.0.1"))).hasSize(40);
        assertThat(streams.isCrowded()).isTrue();

        assertThat(open(Peers.at("10.0.0.1"))).isEmpty();
        assertThat(open(Peers.at("10.0.0.2"))).hasSize(10);
        assertThat(open(Peers.at("10.0.0.2"))).hasSize(10);
        assertThat(open(Peers.at("10.0.0.2"))).isEmpty();
        assertThat(open(Peers.at("10.0.0.3"))).hasSize(10);
    }

    @Test
    void oneThatIsClosedMakesPlaceForAnotherAndTwoWhoseBodiesHaveCome() {
        Peer connection = Peers.at("10.0.0.1");
        List<Streams.Place> opened = open(connection);

        opened.get(0).close();
        opened.get(0).complete();
        opened.get(0).close();

        assertThat(streams.isCrowded()).isFalse();
        assertThat(streams.count()).isEqualTo(39);
        assertThat(open(connection)).hasSize(1);

        opened.get(1).complete();
        opened.get(2).complete();
        assertThat(open(connection)).hasSize(1);
        opened.get(1).close();
        opened.get(2).close();
        assertThat(open(connection)).hasSize(1);
    }
}
