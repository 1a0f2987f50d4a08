package dev.holdfast.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.push.Envelope;
import dev.holdfast.push.PushRecord;
import org.junit.jupiter.api.Test;

class WindowTest {
    private final Window window = new Window(10);

    private static PushRecord push(long seq, int size) {
        Envelope envelope = new Envelope("", "client.created", "", null, null);
        return new PushRecord(seq, "default", envelope, 0, "", "", new byte[size]);
    }

    @Test
    void theCursorStopsBeforeTheFirstThatIsNotHandled() {
        Item first = window.add(push(11, 1));
        Item second = window.add(push(13, 1));
        window.skipTo(15);

        assertThat(window.cursor()).isEqualTo(10);
        window.handled(second);
        assertThat(window.cursor()).isEqualTo(10);
        assertThat(window.passedCount()).isZero();
        window.handled(first);
        assertThat(window.cursor()).isEqualTo(15);
        assertThat(window.passedCount()).isEqualTo(2);
        assertThat(window.next()).isEqualTo(16);
    }

    @Test
    void itIsFullAfter4096Pushes() {
        Item first = window.add(push(11, 0));
        for (int i = 1; i < 4096; i++) {
            assertThat(window.hasRoom()).isTrue();
            window.handled(window.add(push(11 + i, 0)));
        }
        assertThat(window.hasRoom()).isFalse();

        window.handled(first);

        assertThat(window.hasRoom()).isTrue();
    }

    @Test
    void itIsFullAfter16MiB() {
        Item large = window.add(push(11, 16 * 1024 * 1024));
        assertThat(window.hasRoom()).isFalse();

        window.handled(large);

        assertThat(window.hasRoom()).isTrue();
    }
}
