package dev.holdfast.push;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventPatternTest {
    @ParameterizedTest
    @CsvSource({
        "client.created,client.created,true",
        "client.created,client.created.late,false",
        "client.created,CLIENT.created,false",
        "client.*,client.created,true",
        "client.*,client.a.b,true",
        "client.*,client.,true",
        "client.*,client,false",
        "client.*,clients.created,false",
        "*,anything,true",
        "*,push.unreadable.late,true",
        "push.unreadable,push.unreadable,true",
        "*,push.unreadable,false",
        "push.*,push.unreadable,false",
        "push.*,push.any,true"
    })
    void anEventIsMatchedByItselfItsFamilyOrTheStarButAnUnreadableOneByItselfOnly(
            String pattern, String event, boolean expected) {
        assertThat(new EventPattern(pattern).subscribes(event)).isEqualTo(expected);
    }

    @Test
    void anyOfSeveralIsEnough() {
        assertThat(List.of("a.x", "b", "c", "push.unreadable").stream().filter(EventPattern.anyOf(List.of("a.*", "b"))))
                .containsExactly("a.x", "b");
    }
}
