package dev.holdfast.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.push.TestPush;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The published fields, whatever the platform writes into them. */
class ConversationTest {
    private static Conversation conversation(String fields) {
        return new Conversation(
                TestPush.of(7, "{\"event\":\"conversation.created\",\"conversation\":{" + fields + "}}"));
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {
                "7, 7",
                "-9223372036854775808, -9223372036854775808",
                "9223372036854775808, none",
                "1.5, none",
                "'\"7\"', none",
                "null, none"
            })
    void anEnterpriseIdThatIsNoIntegerIsNone(String written, @Nullable Long read) {
        assertThat(conversation("\"enterprise_id\":" + written).enterpriseId()).isEqualTo(read);
    }

    @Test
    void whatIsAbsentIsEmptyOrNull() {
        Conversation conversation = conversation("");

        assertThat(conversation.enterpriseId()).isNull();
        assertThat(conversation.devClientId()).isNull();
        assertThat(conversation.pageFromUrl()).isEmpty();
        assertThat(conversation.searchEngine()).isEmpty();
    }
}
