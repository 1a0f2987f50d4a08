package dev.holdfast.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PatternsTest {
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
        Patterns patterns = new Patterns(List.of(pattern));

        assertThat(patterns.match(event)).isEqualTo(expected);
        assertThat(patterns.match(event)).as("remembered").isEqualTo(expected);
    }

    @Test
    void anyOfSeveralIsEnough() {
        Patterns patterns = new Patterns(List.of("a.*", "b"));

        assertThat(patterns.match("a.x")).isTrue();
        assertThat(patterns.match("b")).isTrue();
        assertThat(patterns.match("c")).isFalse();
    }

    @Test
    void manyEventsAreMatchedRightThoughFewAreRemembered() {
        Patterns patterns = new Patterns(List.of("a.*"));

        for (int i = 0; i < 5000; i++) {
            assertThat(patterns.match("a." + i)).isTrue();
            assertThat(patterns.match("b." + i)).isFalse();
        }
    }
}
