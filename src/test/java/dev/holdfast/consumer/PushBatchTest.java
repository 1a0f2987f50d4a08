package dev.holdfast.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.push.Push;
import dev.holdfast.push.TestPush;
import java.util.List;
import org.junit.jupiter.api.Test;

class PushBatchTest {
    private final Push push = TestPush.of(1, TestPush.BODY);

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
