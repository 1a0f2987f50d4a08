package dev.holdfast.push;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RecordFormTest {
    private static final byte[] BODY = "{\"event\":\"client.created\"}".getBytes(StandardCharsets.UTF_8);

    @Test
    void aRecordComesBackAsItWasWritten() {
        Envelope envelope = new Envelope("sub_t_1600000000", "client.created", "t", 1_600_000_000L, null);
        PushRecord push = new PushRecord(
                0,
                "default",
                envelope,
                1_700_000_000_123L,
                new RequestHead("AbC0", "application/json", "gzip, br", "a=1&b=%20c"),
                BODY);

        PushRecord back = RecordForm.decode(42, RecordForm.encode(push));

        assertThat(back).usingRecursiveComparison().isEqualTo(push.at(42));
    }

    @Test
    void aLatePushComesBackWithBothItsTimes() {
        PushRecord late = late();

        PushRecord back = RecordForm.decode(42, RecordForm.encode(late));

        assertThat(back).usingRecursiveComparison().isEqualTo(late.at(42));
        assertThat(back.late()).isTrue();
        assertThat(back.receivedAt()).isEqualTo(1);
        assertThat(back.acceptedAt()).isEqualTo(9);
    }

    @Test
    void onlyALatePushHasTheNewerVersion() {
        assertThat(RecordForm.encode(late()).get(0)).isEqualTo((byte) 2);
        assertThat(record()[0]).isEqualTo((byte) 1);
    }

    @Test
    void everyCutBeforeALatePushsBodyIsNoticed() {
        ByteBuffer whole = RecordForm.encode(late());
        for (int length = 0; length < whole.limit() - BODY.length; length++) {
            ByteBuffer cut = whole.slice(0, length);
            assertThatThrownBy(() -> RecordForm.decode(7, cut))
                    .as("length %d", length)
                    .isInstanceOf(RecordFormException.class);
        }
    }

    private static PushRecord late() {
        return push(new Envelope("sub_t_1", "client.created", "t", 1L, null), BODY)
                .lateAt(9);
    }

    @ParameterizedTest
    @EnumSource(Unreadable.class)
    void anUnreadablePushKeepsItsCause(Unreadable cause) {
        PushRecord push = push(Envelope.unreadable(cause), new byte[] {0, -1, 7});

        assertThat(RecordForm.decode(1, RecordForm.encode(push)).envelope()).isEqualTo(Envelope.unreadable(cause));
    }

    @Test
    void charactersOfEveryKindComeBack() {
        Envelope envelope = new Envelope("\ud800 alone", "événement", "令牌 \ud83d\ude00", -1L, null);

        assertThat(RecordForm.decode(1, RecordForm.encode(push(envelope, BODY))).envelope())
                .isEqualTo(envelope);
    }

    @Test
    void thereIsRoomForAnyTextThatIsLong() {
        for (int i = 0; i < 8; i++) {
            String[] texts = {"", "", "", "", "", "", "", ""};
            texts[i] = "令".repeat(1_000);
            Envelope envelope = new Envelope(texts[0], texts[1], texts[2], 1L, null);
            RequestHead head = new RequestHead(texts[3], texts[4], texts[5], texts[6]);
            PushRecord push = new PushRecord(42, texts[7], envelope, 1, head, BODY);

            assertThat(RecordForm.decode(42, RecordForm.encode(push)))
                    .usingRecursiveComparison()
                    .isEqualTo(push);
        }
    }

    @Test
    void anEmptyBodyComesBack() {
        PushRecord push = push(Envelope.unreadable(Unreadable.NOT_JSON), new byte[0]);

        assertThat(RecordForm.decode(1, RecordForm.encode(push)).body()).isEmpty();
    }

    @Test
    void everyCutBeforeTheBodyIsNoticed() {
        byte[] record = record();
        for (int length = 0; length < record.length - BODY.length; length++) {
            ByteBuffer cut = ByteBuffer.wrap(record, 0, length);
            assertThatThrownBy(() -> RecordForm.decode(7, cut))
                    .as("length %d", length)
                    .isInstanceOf(RecordFormException.class);
        }
    }

    @Test
    void anUnknownVersionIsNamed() {
        byte[] record = record();
        record[0] = 9;

        assertThatThrownBy(() -> RecordForm.decode(7, ByteBuffer.wrap(record))).hasMessageContaining("version 9");
    }

    private static byte[] record() {
        Envelope envelope = new Envelope("sub_t_1", "client.créé", "世", 1L, null);
        ByteBuffer encoded = RecordForm.encode(push(envelope, BODY));
        byte[] record = new byte[encoded.remaining()];
        encoded.get(record);
        return record;
    }

    private static PushRecord push(Envelope envelope, byte[] body) {
        return new PushRecord(0, "default", envelope, 1, new RequestHead("", "", "", ""), body);
    }
}
