package dev.holdfast.push;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PushTest {
    private static Push push(String body) {
        return push(body, null);
    }

    private static Push push(String body, @Nullable String clientField) {
        byte[] bytes = body.getBytes(UTF_8);
        PushRecord record = new PushRecord(
                7, "default", EnvelopeReader.read(bytes), 5, new RequestHead("signature", "type", "", ""), bytes);
        return new Push(record, new BusinessData(clientField));
    }

    @Test
    void theBodyIsAFreshBufferEachTime() {
        Push push = push("{\"event\":\"client.created\"}");

        push.body().setByte(0, (byte) 'x').appendString("more");

        assertThat(push.body().toString()).isEqualTo("{\"event\":\"client.created\"}");
        assertThat(push.size()).isEqualTo(push.body().length());
    }

    @Test
    void nothingOfTheBodyIsShown() {
        Push push = push(
                "{\"event\":\"client.created\",\"id\":\"the-id\",\"enterprise_token\":\"the-token\",\"n\":\"data\"}");

        assertThat(push.toString()).isEqualTo("push 7 client.created (" + push.size() + " bytes)");
    }

    @Test
    void anUnreadablePushFailsForGoodAndSaysWhyInsteadOfParsing() {
        Push push = push("[1]");

        assertThat(push.unreadable()).isEqualTo(Unreadable.NOT_AN_OBJECT);
        assertThatThrownBy(push::json)
                .isInstanceOf(PermanentFailure.class)
                .hasMessage(
                        "push 7 is unreadable, so it has no JSON: found not-an-object, expected a JSON object with an event");
        assertThatThrownBy(push::data).isInstanceOf(PermanentFailure.class);
    }

    @ParameterizedTest
    @CsvSource({"client.created,client", "client,client", ".x,''", "a.b.c,a"})
    void theFamilyIsWhatComesBeforeTheFirstDot(String event, String family) {
        assertThat(push("{\"event\":\"" + event + "\"}").family()).isEqualTo(family);
    }

    @Test
    void aTimeBeyondTheCalendarIsNone() {
        assertThat(push("{\"event\":\"x\",\"created_at\":9223372036854775807}").createdAt())
                .isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "conversation.created | | {\"conversation\":{\"n\":1},\"client\":{\"n\":2}} | 1",
                "client.created | | {\"conversation\":{\"n\":1},\"client\":{\"n\":2}} | 2",
                "client.created | customer | {\"customer\":{\"n\":1},\"client\":{\"n\":2}} | 1",
                "client.created | customer | {\"customer\":[],\"client\":{\"n\":2}} | 2",
                "client.created | | {\"visitor\":{\"n\":3},\"list\":[],\"text\":\"x\"} | 3",
                "client.created | | {\"visitor\":{\"n\":3},\"other\":{\"n\":4}} | ",
                "client.created | | {\"id\":{\"n\":3}} | ",
                "conversation.created | | {\"conversation\":null} | ",
                "conversation.created | | {\"client\":{\"n\":2}} | ",
                "conversation.created | | {\"conversation\":null,\"client\":{\"n\":2}} | ",
                "conversation.created | customer | {\"customer\":{\"n\":1}} | ",
                "conversation.created | | {\"visitor\":{\"n\":3}} | ",
                "ticket.opened | | {\"ticket\":{\"n\":5}} | 5"
            })
    void theBusinessObjectIsFoundWhereTheInterfaceLeavesItOpen(
            String event, @Nullable String clientField, String body, @Nullable Integer expected) {
        JsonObject data = push(new JsonObject(body).put("event", event).encode(), clientField)
                .data();

        assertThat(data == null ? null : data.getInteger("n")).isEqualTo(expected);
    }
}
