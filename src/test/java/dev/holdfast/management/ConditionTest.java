package dev.holdfast.management;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ConditionTest {
    @Test
    void aConditionIsAskedOnceSoThatReadinessAgreesWithWhatHolds() {
        AtomicInteger asked = new AtomicInteger();
        List<Condition> conditions = List.of(
                new Condition("storage", true, () -> asked.incrementAndGet() == 1),
                new Condition("room", false, () -> false));

        Condition.States states = Condition.States.of(conditions);

        assertThat(states.ready()).isTrue();
        assertThat(states.holds()).containsExactlyInAnyOrderEntriesOf(Map.of("storage", true, "room", false));
        assertThat(asked).hasValue(1);
    }

    @Test
    void withoutARequiredOneItIsNotReady() {
        assertThat(Condition.States.of(List.of(new Condition("storage", true, () -> false)))
                        .ready())
                .isFalse();
    }
}
