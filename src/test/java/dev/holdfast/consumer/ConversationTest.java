package dev.holdfast.consumer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.push.BusinessData;
import dev.holdfast.push.EnvelopeReader;
import dev.holdfast.push.Push;
import dev.holdfast.push.PushRecord;
import dev.holdfast.push.RequestHead;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The published fields, whatever the platform writes into them. */
class ConversationTest {
    private static Conversation conversation(String fields) {
        byte[] body = ("{\"event\":\"conversation.created\",\"conversation\":{" + fields + "}}").getBytes(UTF_8);
        PushRecord record =
                new PushRecord(7, "default", EnvelopeReader.read(body), 0, new RequestHead("", "", "", ""), body);
        return new Conversation(new Push(record, new BusinessData(null)));
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
