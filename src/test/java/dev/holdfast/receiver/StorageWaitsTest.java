package dev.holdfast.receiver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class StorageWaitsTest {
    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
    private final StorageWaits waits = new StorageWaits(10, now::get);
    private final List<String> given = new ArrayList<>();

    private StorageWaits.Wait begin(String name) {
        return waits.begin(() -> given.add(name), now.get());
    }

    @Test
    void givesUpWhatWaitsForTooLongAndNothingElse() {
        begin("first");
        now.addAndGet(5);
        begin("second");
        now.addAndGet(6);

        waits.sweep();

        assertThat(given).containsExactly("first");
    }

    @Test
    void givesUpNothingThatHasEndedAndKeepsNoneOfItInMind() {
        StorageWaits.Wait first = begin("first");
        StorageWaits.Wait second = begin("second");
        waits.end(second);
        assertThat(waits.size()).isEqualTo(2);
        waits.end(first);
        assertThat(waits.size()).isZero();
        now.addAndGet(20);

        waits.sweep();

        assertThat(given).isEmpty();
    }
}
