package dev.holdfast.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.push.BusinessData;
import dev.holdfast.push.Envelope;
import dev.holdfast.push.Push;
import dev.holdfast.push.PushRecord;
import dev.holdfast.push.RequestHead;
import java.util.List;
import org.junit.jupiter.api.Test;

class PushBatchTest {
    private final Push push = new Push(
            new PushRecord(
                    1,
                    "default",
                    new Envelope("sub_t_1600000000", "client.created", "t", 1_600_000_000L, null),
                    1_000,
                    new RequestHead("00ff", "application/json", "", ""),
                    new byte[] {'{', '}'}),
            new BusinessData(null));

    @Test
    void oneThatIsWithdrawnBeforeItIsBegunLetsGoOfItsPushes() {
        PushBatch batch = new PushBatch(List.of(push));

        assertThat(batch.withdraw()).isTrue();
        assertThat(batch.pushes()).isEmpty();
        assertThat(batch.begin()).isFalse();
    }

    @Test
    void oneThatIsBegunKeepsThem() {
        PushBatch batch = new PushBatch(List.of(push));
        assertThat(batch.begin()).isTrue();

        assertThat(batch.withdraw()).isFalse();
        assertThat(batch.pushes()).containsExactly(push);
    }
}
