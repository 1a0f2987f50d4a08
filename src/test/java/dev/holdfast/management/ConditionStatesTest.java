package dev.holdfast.management;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ConditionStatesTest {
    @Test
    void aConditionIsAskedOnceSoThatReadinessAgreesWithWhatHolds() {
        AtomicInteger asked = new AtomicInteger();
        List<Condition> conditions = List.of(
                new Condition("storage", () -> asked.incrementAndGet() == 1),
                new Condition("room", false, () -> false));

        ConditionStates states = ConditionStates.of(conditions);

        assertThat(states.ready()).isTrue();
        assertThat(states.holds()).containsExactlyInAnyOrderEntriesOf(Map.of("storage", true, "room", false));
        assertThat(asked).hasValue(1);
    }

    @Test
    void withoutARequiredOneItIsNotReady() {
        assertThat(ConditionStates.of(List.of(new Condition("storage", () -> false)))
                        .ready())
                .isFalse();
    }
}
